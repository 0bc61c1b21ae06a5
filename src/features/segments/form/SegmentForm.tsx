import '@mantine/core/styles/Input.layer.css'

import { zodResolver } from '@hookform/resolvers/zod'
import { Button, InputBase, TextInput } from '@mantine/core'
import { type ReactNode, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm, useWatch } from 'react-hook-form'
import * as z from 'zod'

import { isTimeZone, type Segment, type SegmentWrite, segmentWrite } from '#contract/index.ts'
import { ApiError } from '../../../api/index.ts'
import { segmentText, sharedText } from '../../../messages/index.ts'
import { atFields } from '../../../domain/failures/pointers.ts'
import { filterOf, newFilterDraft, issuesOf, refusalsOf, unfinishedFilterOf } from '../draft/filter-draft.ts'
import { FilterField, type Refused } from '../builder/FilterField.tsx'
import { Unsaved } from '../../../domain/writing/unsaved.tsx'
import { sentenceOf, sentenceOfParts } from '../../../domain/filters/sentence.ts'
import { namesOf } from '../../../domain/segments/names.ts'
import { bodyOf, type Content } from './content.ts'
import { NotSaved, type NotSavedWords } from './NotSaved.tsx'
import classes from './SegmentForm.module.css'
import { Preview } from './Preview.tsx'

const words = segmentText.create
const { name, description, tz } = segmentWrite.shape
const fields = z.object({ name, description: description.unwrap(), tz: tz.unwrap() })
type Values = z.infer<typeof fields>

export interface SegmentFormProps {
  readonly segments: readonly Segment[]
  /** What it begins with. */
  readonly start: Content
  /** Of the segment that is edited: it cannot be a part of itself. */
  readonly id?: string
  readonly submit: string
  readonly failure: NotSavedWords
  /** Above the fields. */
  readonly children?: ReactNode
  /** Sends it, and answers what comes next, if anything: that is done once leaving no longer asks. */
  readonly onSave: (segment: SegmentWrite) => Promise<(() => void) | undefined>
  readonly onCancel: () => void
}

/** A segment as it is written. Whatever goes wrong, what was typed stays. */
export function SegmentForm(props: SegmentFormProps) {
  const { segments, id, start, submit, failure, children, onSave, onCancel } = props
  const form = useForm<Values>({
    defaultValues: { name: start.name, description: start.description, tz: start.tz },
    resolver: zodResolver(fields),
    mode: 'onTouched',
    shouldFocusError: false,
  })
  const { errors, isDirty, isSubmitting, submitCount } = form.formState
  const [initial] = useState(() => newFilterDraft(start.filter))
  const [filter, setFilter] = useState(initial)
  const [problem, setProblem] = useState<ApiError>()
  const [refused, setRefused] = useState<Refused>()
  const [saved, setSaved] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const zones = useId()
  const typedZone = useWatch({ control: form.control, name: 'tz' }).trim()
  const zone = isTimeZone(typedZone) ? typedZone : 'UTC'
  const finished = useMemo(() => {
    const { unreadable, issues } = issuesOf(filter)
    return unreadable === undefined && issues.length === 0 ? filterOf(filter) : undefined
  }, [filter])
  const others = useMemo(() => segments.filter((each) => each.id !== id), [segments, id])

  // After a try that was refused, here or by the service: on to the first thing that is wrong.
  useLayoutEffect(() => {
    if (submitCount > 0 && !isSubmitting)
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-issue]')?.focus()
  }, [submitCount, isSubmitting])

  const save = form.handleSubmit(async ({ name, description, tz }) => {
    setProblem(undefined)
    setRefused(undefined)
    const { unreadable, issues } = issuesOf(filter)
    // JSON that only another service understands is for the service to judge.
    if (unreadable !== undefined || (filter.json === undefined && issues.length > 0)) return
    let next: (() => void) | undefined
    try {
      // Untouched, it goes back as it came, not as the builder would write it.
      const written = filter === initial ? start.filter : filterOf(filter)
      next = await onSave(bodyOf({ name, description, tz, filter: written }))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      for (const [field, message] of atFields(error.errors, ['name', 'description', 'tz']).fields)
        form.setError(field, { type: 'service', message })
      setRefused({ draft: filter, issues: refusalsOf(filter.root, error.errors) })
      setProblem(error)
      return
    }
    if (!next) return
    // Saved is nothing to lose: the guard has to be gone before anything navigates.
    flushSync(() => setSaved(true))
    next()
  })

  const input = (field: keyof Values) => ({
    ...form.register(field),
    error: errors[field]?.message,
    autoComplete: 'off',
  })
  const unfinished = unfinishedFilterOf(filter)
  const context = { tz: zone, segmentName: namesOf(segments) }

  return (
    <form ref={element} noValidate className={classes.form} onSubmit={(event) => void save(event)}>
      {(isDirty || filter !== initial) && !saved && <Unsaved />}
      <div className={classes.main}>
        {children}
        {problem && <NotSaved error={problem} words={failure} />}
        <TextInput label={words.name} {...input('name')} className={classes.short ?? ''} />
        {/* Textarea would bring its growing along. */}
        <InputBase
          component="textarea"
          multiline
          label={words.description}
          rows={2}
          {...input('description')}
          className={classes.short ?? ''}
        />
        <TextInput
          label={words.zone}
          description={words.zoneHint}
          {...input('tz')}
          list={zones}
          spellCheck={false}
          className={classes.short ?? ''}
        />
        <datalist id={zones}>
          {timeZones.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </datalist>
        <FilterField
          draft={filter}
          onChange={setFilter}
          checked={submitCount > 0}
          refused={refused}
          segments={others}
          tz={zone}
        />
      </div>
      <aside className={classes.aside} aria-label={words.about}>
        <h2 className={classes.heading}>{words.sentence}</h2>
        <p className={classes.sentence} aria-live="polite">
          {filter.json === undefined
            ? sentenceOfParts(unfinished as SegmentWrite['filter'], context)
            : sentenceOf(unfinished, context)}
        </p>
        <Preview filter={finished} tz={zone} />
      </aside>
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel} disabled={isSubmitting}>
          {sharedText.cancel}
        </Button>
        <Button type="submit" loading={isSubmitting}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

// UTC is none of the places that browsers list.
const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((each) => each !== 'UTC')]
