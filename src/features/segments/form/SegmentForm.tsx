import { Box, InputBase, Stack, Text, TextInput, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { Link } from 'react-router'
import * as z from 'zod'

import {
  type Filter,
  isTimeZone,
  type Segment,
  type SegmentPreview,
  type SegmentWrite,
  segmentWrite,
} from '#contract/index.ts'
import { ApiError, offers } from '../../../api/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { BackLink } from '../../../domain/BackLink.tsx'
import type { OwnWords } from '../../../domain/failures/describe-failure.ts'
import { InlineFailure, QueryFailure } from '../../../domain/failures/InlineFailure.tsx'
import { assignToFields } from '../../../domain/failures/pointers.ts'
import {
  checkDraft,
  jsonOf,
  newFilterDraft,
  refusalsOf,
} from '../../../domain/filter-builder/draft/filter-draft.ts'
import { sentenceOf, sentenceOfParts } from '../../../domain/filters/sentence.ts'
import { links } from '../../../domain/links.ts'
import { emailOf, nameOf } from '../../../domain/people/user-fields.ts'
import { segmentsQuery } from '../../../domain/queries/segments.ts'
import { userCountQuery } from '../../../domain/queries/users.ts'
import { segmentNamesById } from '../../../domain/segments/names.ts'
import { FormFrame, useServiceForm } from '../../../domain/writing/service-form.tsx'
import { segmentEditText, segmentFormText, segmentPreviewText, segmentText } from '../../../messages/index.ts'
import { Announced } from '../../../ui/AnnouncedPart.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Timestamp } from '../../../ui/Timestamp.tsx'
import { useDebouncedValue } from '../../../ui/use-debounced-value.ts'
import { FilterField, type FilterFieldProps, type Refused } from '../builder/FilterField.tsx'
import { type Content, segmentBody } from './content.ts'
import { previewQuery } from './queries.ts'
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

interface SegmentFormProps {
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

interface SegmentFormPageProps extends Omit<SegmentFormProps, 'segments'> {
  readonly title: string
  /** Segment that is edited or copied; undefined for an empty form. */
  readonly original: Segment | undefined
  /** Content above the form. */
  readonly children?: ReactNode
}

export function SegmentFormPage({ title, original, children, ...form }: SegmentFormPageProps) {
  const denied = useDenied('segments:write')
  const reason = denied ?? (original && original.filter === undefined ? segmentEditText.noFilter : undefined)
  const others = useQuery(segmentsQuery())
  const { data: segments = [], error } = others
  return (
    <>
      <PageHeader above={<BackLink to={links.segments()}>{segmentText.title}</BackLink>} title={title} />
      {error && segments.length === 0 && <QueryFailure title={segmentFormText.noSegments} query={others} />}
      {children}
      {reason === undefined ? (
        <SegmentForm key={original?.id} segments={segments} {...form} />
      ) : (
        <EmptyState title={reason} underHeading />
      )}
    </>
  )
}

function SegmentForm(props: SegmentFormProps) {
  const { segments, id, start, submit, wordsFor, onSave, onCancel } = props
  const [initial] = useState(() => newFilterDraft(start.filter))
  const [filter, setFilter] = useState(initial)
  const check = useMemo(() => checkDraft(filter), [filter])
  const [refused, setRefused] = useState<Refused>()
  const state = useServiceForm({
    schema,
    initial: { name: start.name, description: start.description, tz: start.tz },
    fields: fieldNames,
    isChanged: filter !== initial,
    onSave: async (values) => {
      setRefused(undefined)
      // JSON that this console does not understand may suit another version of the service, so the service judges it.
      if (check.unreadable !== undefined || (filter.json === undefined && !check.filter)) return undefined
      // An untouched filter is sent back as it was read, not as the builder would write it.
      const written =
        filter === initial ? start.filter : (check.filter ?? (JSON.parse(jsonOf(filter)) as unknown))
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

  return (
    <FormFrame
      form={state}
      layout="column"
      submit={submit}
      onCancel={onCancel}
      renderProblem={({ error }) => {
        const { failed, ...own } = wordsFor(error)
        // Problems of the filter are shown at the filter itself.
        const { rest } = assignToFields(error.errors, [...fieldNames, 'filter'])
        return (
          <InlineFailure title={failed} error={error} own={{ ...own, rest, kept: segmentFormText.kept }} />
        )
      }}
      aside={<InWords draft={filter} check={check} tz={zone} segments={segments} />}
    >
      <SegmentFields form={form} />
      <FilterField
        draft={filter}
        check={check}
        onChange={setFilter}
        isTried={form.formState.submitCount > 0}
        refused={refused}
        segments={segments.filter((each) => each.id !== id)}
        tz={zone}
      />
    </FormFrame>
  )
}

function SegmentFields({ form: { register, formState } }: { readonly form: UseFormReturn<Values> }) {
  const zones = useId()
  const input = (field: keyof Values) => ({
    ...register(field),
    error: formState.errors[field]?.message,
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

// Some browsers do not list UTC among their time zones.
const timeZones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((each) => each !== 'UTC')]

type InWordsProps = Pick<FilterFieldProps, 'draft' | 'check' | 'tz' | 'segments'>

function InWords({ draft, check, tz, segments }: InWordsProps) {
  const context = { tz, segmentName: segmentNamesById(segments) }
  return (
    <aside className={classes.aside} aria-label={segmentFormText.about}>
      <Title order={2} fz="sm" fw={500} c="dimmed">
        {segmentFormText.sentence}
      </Title>
      <Text textWrap="pretty">
        <Announced>
          {draft.json === undefined
            ? sentenceOfParts(check.written as Filter, context)
            : sentenceOf(check.written, context)}
        </Announced>
      </Text>
      {offers('previewSegment') && <Preview filter={check.filter} tz={tz} />}
    </aside>
  )
}

/** Debounce delay of the preview, so that nothing is counted between two keystrokes. */
const previewPauseMs = 350

interface PreviewProps {
  /** Filter to preview; undefined while it is unfinished. */
  readonly filter: Filter | undefined
  readonly tz: string
}

/** Previews the users that a filter finds. A failure here does not prevent the segment from being saved. */
function Preview(props: PreviewProps) {
  const mayNotRead = useDenied('users:read')
  const titleId = useId()
  return (
    <Box
      component="section"
      aria-labelledby={titleId}
      pt="md"
      fz="sm"
      style={{ borderTop: '1px solid var(--ds-border)' }}
    >
      <Title order={2} id={titleId} fz="sm" fw={500} c="dimmed" mb="xs">
        {segmentPreviewText.title}
      </Title>
      {mayNotRead !== undefined ? <p className="ds-dimmed">{mayNotRead}</p> : <Counted {...props} />}
    </Box>
  )
}

function Counted({ filter, tz }: PreviewProps) {
  const body = filter && { filter, tz }
  const request = body === undefined ? '' : JSON.stringify(body)
  const isSettled = useDebouncedValue(request, previewPauseMs) === request
  const { data, error, isFetching, isPlaceholderData, dataUpdatedAt, refetch } = useQuery({
    ...previewQuery(body),
    enabled: body !== undefined && isSettled,
    placeholderData: keepPreviousData,
  })
  const { data: everyone } = useQuery(userCountQuery(''))
  const isOld = isPlaceholderData || body === undefined
  const isAnswered = !isFetching && body !== undefined && isSettled
  const isSegmentOnly = error instanceof ApiError && error.code === 'sensitive_filter'

  return (
    <>
      {data && (
        <Stack gap="xs" className={classes.preview ?? ''} mod={{ old: isOld }}>
          <Text inherit style={{ fontVariantNumeric: 'tabular-nums' }}>
            {typeof everyone === 'number' ? (
              <span className="ds-dimmed">
                {segmentPreviewText.ofAll.withElements({ users: <Total {...data} />, all: everyone })}
              </span>
            ) : (
              <Total {...data} />
            )}
          </Text>
          <Users {...data} />
        </Stack>
      )}
      {isSegmentOnly && isAnswered ? (
        <p className="ds-dimmed">{segmentPreviewText.segmentOnly}</p>
      ) : error !== null && isAnswered ? (
        <InlineFailure
          title={segmentPreviewText.failed}
          error={error}
          own={{ kept: segmentPreviewText.failedBody }}
          onRetry={() => void refetch()}
        />
      ) : (
        // Reserves the height of two lines, so that the layout does not shift between states.
        <Text component="div" c="dimmed" fz="xs" mt="xs" mih="3em">
          <Announced>{stateOf()}</Announced>
        </Text>
      )}
    </>
  )

  function stateOf(): ReactNode {
    const { unfinished, counting } = segmentPreviewText
    if (body === undefined) return data ? unfinished.again : unfinished.first
    if (!data) return counting.first
    if (!isSettled || isFetching) return counting.again
    const seconds = (data.tookMs / 1000).toFixed(data.tookMs < 1000 ? 2 : 1)
    return (
      <>
        {segmentPreviewText.counted.withElements({
          time: <Timestamp value={new Date(dataUpdatedAt).toISOString()} />,
          duration: <time dateTime={`PT${seconds}S`}>{segmentPreviewText.took({ seconds })}</time>,
        })}{' '}
        {data.atLeast === true && segmentPreviewText.stopped}
      </>
    )
  }
}

function Total({ total, atLeast }: Pick<SegmentPreview, 'total' | 'atLeast'>) {
  return (
    <Text span fz="lg" fw={600} className={classes.total ?? ''}>
      {segmentPreviewText.users({ count: total, bound: atLeast === true ? 'least' : 'exact' })}
    </Text>
  )
}

function Users({ total, atLeast, users }: SegmentPreview) {
  const listId = useId()
  if (users.length === 0)
    return atLeast === true ? null : <p className="ds-dimmed">{segmentPreviewText.nobody}</p>
  const isAll = atLeast !== true && users.length === total
  return (
    <>
      <Text id={listId} c="dimmed" fz="xs">
        {isAll ? segmentPreviewText.all : segmentPreviewText.some({ shown: users.length })}
      </Text>
      <Box component="ul" aria-labelledby={listId} m={0} p={0} style={{ listStyle: 'none' }}>
        {users.map((user) => {
          const name = nameOf(user) ?? segmentPreviewText.noName
          return (
            <li key={user.id}>
              {/* Opens in a new tab, so that the form keeps its unsaved content. The line height of 24 pixels is
                the minimum touch target. */}
              <Text
                component={Link}
                to={links.user(user.id)}
                target="_blank"
                aria-label={segmentPreviewText.opens({ user: name })}
                display="block"
                w="fit-content"
                maw="100%"
                lh="24px"
                inherit
                truncate
              >
                {name}
              </Text>
              <Text c="dimmed" fz="xs" mb={2} truncate>
                {emailOf(user)}
              </Text>
            </li>
          )
        })}
      </Box>
    </>
  )
}
