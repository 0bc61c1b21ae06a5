import { Button, Group, Text } from '@mantine/core'
import { IconChartPie, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import type { Segment, SegmentHistory } from '#contract/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { sentenceOf } from '../../domain/filters/sentence.ts'
import { links } from '../../domain/links.ts'
import { countsSegments, segmentHistoryQuery, segmentsQuery } from '../../domain/queries/segments.ts'
import { segmentName, segmentNamesById } from '../../domain/segments/names.ts'
import { Trend } from '../../domain/segments/Trend.tsx'
import { segmentText } from '../../messages/index.ts'
import { number } from '../../messages/language/format.ts'
import { Announced } from '../../ui/AnnouncedPart.tsx'
import { type Column, DataTable, rowLink } from '../../ui/DataTable.tsx'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { hint } from '../../ui/Hint.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { Timestamp, useNowMs } from '../../ui/Timestamp.tsx'
import { segmentLayout } from './column-layout.ts'
import { dependentsOf } from './dependents.ts'
import classes from './SegmentsPage.module.css'

/** Polling interval and limit for counts. Counting starts on the first request, and some counts never arrive. */
const countPollMs = 2000
const countPollForMs = 60_000

export function SegmentsPage() {
  const [sinceMs] = useState(() => Date.now())
  const { data: segments } = useSuspenseQuery({
    ...segmentsQuery(),
    refetchInterval: ({ state }) =>
      countsSegments() &&
      Date.now() - sinceMs < countPollForMs &&
      state.data?.some(({ total }) => typeof total !== 'number') === true &&
      countPollMs,
  })
  const [typed, setTyped] = useState('')
  // The history includes new counts, so it is refetched with them; the list does not wait for it.
  const { data: histories } = useQuery({
    ...segmentHistoryQuery(segments),
    placeholderData: keepPreviousData,
  })
  const rows = rowsOf(segments, histories)
  const query = typed.trim().toLowerCase()
  const found = rows.filter(({ name, sentence, segment: { description } }) =>
    [name, description ?? '', sentence].some((each) => each.toLowerCase().includes(query)),
  )
  return (
    <>
      <PageHeader title={segmentText.title} actions={rows.length > 0 && <NewSegment />} />
      {rows.length > 0 && (
        <Group gap="8px 16px" pb={12} fz="sm">
          <SearchInput
            className={classes.find ?? ''}
            aria-label={segmentText.find.label}
            clearLabel={segmentText.find.empty}
            value={typed}
            onChange={setTyped}
          />
          <Announced className="ds-dimmed">{segmentText.find.found({ count: found.length })}</Announced>
        </Group>
      )}
      <DataTable
        label={segmentText.title}
        columns={segmentColumns}
        rows={found}
        rowKey={({ segment }) => segment.id}
        empty={
          rows.length > 0 ? (
            <EmptyState
              title={segmentText.find.none}
              button={{ label: segmentText.find.clear, onClick: () => setTyped('') }}
            >
              {segmentText.find.noneBody}
            </EmptyState>
          ) : (
            <EmptyState
              icon={<IconChartPie size={28} stroke={1.5} />}
              title={segmentText.empty.title}
              action={<NewSegment />}
            >
              {segmentText.empty.body}
            </EmptyState>
          )
        }
      />
    </>
  )
}

type ListedSegment = ReturnType<typeof rowsOf>[number]

function rowsOf(segments: readonly Segment[], histories: readonly SegmentHistory[] | undefined) {
  const nameById = segmentNamesById(segments)
  const sizes = new Map(histories?.map((history) => [history.id, history.sizes]))
  return segments.map((segment) => ({
    segment,
    name: segmentName(segment),
    sentence: sentenceOf(segment.filter, { tz: segment.tz, segmentName: nameById }),
    usedBy: dependentsOf(segment.id, segments),
    /** Daily sizes; undefined while loading, or if the service does not keep them. */
    sizes: sizes.get(segment.id),
  }))
}

function NewSegment() {
  return (
    <DisabledReason reason={useDenied('segments:write')}>
      <Button component={Link} to={links.newSegment()} leftSection={<IconPlus size={15} aria-hidden />}>
        {segmentText.newSegment}
      </Button>
    </DisabledReason>
  )
}

function renderUsedBy({ usedBy }: ListedSegment) {
  const [first, ...others] = usedBy
  if (!first) return null
  const segment = (
    <Link to={links.segment(first.id)} dir="auto">
      {segmentName(first)}
    </Link>
  )
  if (others.length === 0) return <span className={`${classes.whole} ${classes.usedBy}`}>{segment}</span>
  return (
    <span className={`${classes.whole} ${classes.usedBy}`} {...hint(usedBy.map(segmentName).join('\n'))}>
      {segmentText.usedByMore.withElements({ segment, more: others.length })}
    </span>
  )
}

const segmentColumns: readonly Column<ListedSegment>[] = [
  {
    ...segmentLayout.name,
    header: segmentText.columns.name,
    cell: ({ name, segment: { id, description } }) => (
      <div className={classes.cell}>
        <Link to={links.segment(id)} dir="auto" className={classes.whole} {...rowLink}>
          {name}
        </Link>
        {description && (
          <Text c="dimmed" fz="xs" truncate dir="auto" {...hint(description)}>
            {description}
          </Text>
        )}
      </div>
    ),
  },
  {
    ...segmentLayout.who,
    header: segmentText.columns.who,
    cell: ({ sentence }) => (
      <div className={classes.cell}>
        <Text inherit lineClamp={2} style={{ whiteSpace: 'normal' }} {...hint(sentence)}>
          {sentence}
        </Text>
      </div>
    ),
  },
  {
    ...segmentLayout.usedBy,
    header: segmentText.columns.usedBy,
    cell: renderUsedBy,
  },
  {
    ...segmentLayout.updated,
    header: segmentText.columns.updated,
    cell: ({ segment }) => <Timestamp value={segment.updated} />,
  },
  {
    ...segmentLayout.users,
    header: segmentText.columns.users,
    cell: (row) => <SegmentSize {...row} />,
  },
]

function SegmentSize({ name, sizes, segment: { id, total, counted } }: ListedSegment) {
  const isKnown = typeof total === 'number'
  /** A count of the last minute is taken for the present one. */
  const isOld = useNowMs() - Date.parse(counted ?? '') >= 60_000
  const users = sizes?.at(-1)?.users ?? 0
  const share = isKnown && users > 0 ? Math.min(1, total / users) : undefined
  return (
    <span className={classes.size}>
      {sizes && sizes.length > 1 && <Trend sizes={sizes} className={classes.trend} />}
      <span className={`${classes.cell} ${classes.count}`}>
        <DisabledReason reason={useDenied('users:read')}>
          <Link
            to={links.users({ segment: id })}
            aria-label={
              isKnown
                ? segmentText.showCountedUsersOf({ segment: name, count: total })
                : segmentText.showUsersOf({ segment: name })
            }
          >
            {isKnown ? number(total) : segmentText.showUsers}
          </Link>
        </DisabledReason>
        {isKnown && (
          <Text span c="dimmed" fz="xs" className={classes.below}>
            {share !== undefined && (
              <span {...hint(segmentText.share({ part: share }))}>
                <span className="ds-visually-hidden">{segmentText.share({ part: share })}</span>
                <progress value={Math.max(share, share > 0 ? 0.04 : 0)} className={classes.bar} aria-hidden />
              </span>
            )}
            {isOld && <Timestamp value={counted} />}
          </Text>
        )}
      </span>
    </span>
  )
}
