import { InputBase, Text, TextInput, Title } from '@mantine/core'
import { useId, useMemo, useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import * as z from 'zod'

import { type Filter, isTimeZone, type Segment, type SegmentWrite, segmentWrite } from '#contract/index.ts'
import { ApiError, isFull } from '../../../api/index.ts'
import { segmentFormText } from '../../../messages/index.ts'
import type { OwnWords } from '../../../domain/failures/describe.ts'
import { InlineFailure } from '../../../domain/failures/InlineFailure.tsx'
import { atFields } from '../../../domain/failures/pointers.ts'
import { sentenceOf, sentenceOfParts } from '../../../domain/filters/sentence.ts'
import { segmentNamesById } from '../../../domain/segments/names.ts'
import { FormFrame, useServiceForm } from '../../../domain/writing/service-form.tsx'
import { FilterField, type Refused } from '../builder/FilterField.tsx'
import {
  type FilterDraft,
  filterOfDraft,
  issuesOf,
  newFilterDraft,
  refusalsOf,
  unfinishedFilterOf,
} from '../../../domain/filter-builder/draft/filter-draft.ts'
import { segmentBody, type Content } from './content.ts'
import { Preview } from './Preview.tsx'
import classes from './SegmentForm.module.css'

const { name, description, tz } = segmentWrite.shape
const schema = z.object({ name, description: description.unwrap(), tz: tz.unwrap() })
type Values = z.infer<typeof schema>
const fieldNames = ['name', 'description', 'tz'] as const

export interface FailureWords extends OwnWords {
  readonly failed: string
}

export function creationFailure({ isRepeatable }: ApiError): FailureWords {
  const { failed, lost, lostBody, lostRecognised } = segmentFormText
  return { failed, lost: { title: lost, body: isRepeatable ? lostRecognised : lostBody } }
}

export interface SegmentFormProps {
  readonly segments: readonly Segment[]
  readonly start: Content
  /** Id of the edited segment, which must not refer to itself; undefined for a new one. */
  readonly id?: string
  readonly submit: string
  readonly wordsFor: (error: ApiError) => FailureWords
  /**
   * Saves the segment. May return a follow-up action, which runs once leaving the page no longer asks for
   * confirmation.
   */
  readonly onSave: (segment: SegmentWrite) => Promise<(() => void) | undefined>
  readonly onCancel: () => void
}

export function SegmentForm(props: SegmentFormProps) {
  const { segments, id, start, submit, wordsFor, onSave, onCancel } = props
  const [initial] = useState(() => newFilterDraft(start.filter))
  const [filter, setFilter] = useState(initial)
  const [refused, setRefused] = useState<Refused>()
  const state = useServiceForm({
    schema,
    initial: { name: start.name, description: start.description, tz: start.tz },
    fields: fieldNames,
    isChanged: filter !== initial,
    onSave: async (values) => {
      setRefused(undefined)
      const { unreadable, issues } = issuesOf(filter)
      // JSON that this console does not understand may suit another version of the service, so the service judges it.
      if (unreadable !== undefined || (filter.json === undefined && issues.length > 0)) return undefined
      // An untouched filter is sent back as it was read, not as the builder would write it.
      const written = filter === initial ? start.filter : filterOfDraft(filter)
      try {
        return await onSave(segmentBody({ ...values, filter: written }))
      } catch (error) {
        if (error instanceof ApiError)
          setRefused({ draft: filter, issues: refusalsOf(filter.root, error.errors) })
        throw error
      }
    },
  })
  const { form } = state
  const typedZone = useWatch({ control: form.control, name: 'tz' }).trim()
  const zone = isTimeZone(typedZone) ? typedZone : 'UTC'
  const others = useMemo(() => segments.filter((each) => each.id !== id), [segments, id])

  return (
    <FormFrame
      form={state}
      layout="column"
      submit={submit}
      onCancel={onCancel}
      renderProblem={({ error }) => <NotSaved error={error} {...wordsFor(error)} />}
      aside={<InWords filter={filter} tz={zone} segments={segments} />}
    >
      <SegmentFields form={form} />
      <FilterField
        draft={filter}
        onChange={setFilter}
        checked={form.formState.submitCount > 0}
        refused={refused}
        segments={others}
        tz={zone}
      />
    </FormFrame>
  )
}

interface NotSavedProps extends FailureWords {
  readonly error: ApiError
}

/** Explains above the form why the segment was not saved. The form keeps the typed content. */
function NotSaved({ error, failed, ...own }: NotSavedProps) {
  // Problems of the filter are shown at the filter itself.
  const { rest } = atFields(error.errors, [...fieldNames, 'filter'])
  return <InlineFailure title={failed} error={error} own={{ ...own, rest, kept: segmentFormText.kept }} />
}

function SegmentFields({ form: { register, formState } }: { readonly form: UseFormReturn<Values> }) {
  const zones = useId()
  const input = (field: keyof Values) => ({
    ...register(field),
    error: formState.errors[field]?.message,
    autoComplete: 'off',
    maw: 480,
  })
  return (
    <>
      <TextInput label={segmentFormText.name} {...input('name')} />
      {/* Mantine's Textarea would also bundle its autosize code. */}
      <InputBase
        component="textarea"
        multiline
        label={segmentFormText.description}
        rows={2}
        {...input('description')}
      />
      <TextInput
        label={segmentFormText.zone}
        description={segmentFormText.zoneHint}
        {...input('tz')}
        list={zones}
        spellCheck={false}
      />
      <datalist id={zones}>
        {timeZones.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </datalist>
    </>
  )
}

// Browsers do not list UTC among their time zones.
const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((each) => each !== 'UTC')]

interface InWordsProps {
  readonly filter: FilterDraft
  readonly tz: string
  readonly segments: readonly Segment[]
}

function InWords({ filter, tz, segments }: InWordsProps) {
  const finished = useMemo(() => {
    const { unreadable, issues } = issuesOf(filter)
    return unreadable === undefined && issues.length === 0 ? filterOfDraft(filter) : undefined
  }, [filter])
  const unfinished = unfinishedFilterOf(filter)
  const context = { tz, segmentName: segmentNamesById(segments) }
  return (
    <aside className={classes.aside} aria-label={segmentFormText.about}>
      <Title order={2} fz="sm" fw={500} c="dimmed">
        {segmentFormText.sentence}
      </Title>
      <Text textWrap="pretty" aria-live="polite">
        {filter.json === undefined
          ? sentenceOfParts(unfinished as Filter, context)
          : sentenceOf(unfinished, context)}
      </Text>
      {isFull() && <Preview filter={finished} tz={tz} />}
    </aside>
  )
}
