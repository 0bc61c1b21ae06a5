import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconAlertTriangle } from '@tabler/icons-react'
import { use, useState } from 'react'

import type { AuditActor, AuditActors } from '#contract/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { auditText } from '../../messages/index.ts'
import { number } from '../../messages/format.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { hint } from '../../ui/Hint.tsx'
import { dateOf, exactTime, minuteOf } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import classes from './AuditPage.module.css'
import { ActorLink } from './columns.tsx'
import { type AuditFilter, isOfSome } from './filter.ts'
import { actorPlaces, shownActors } from './places.ts'
import { auditActorsQuery } from './queries.ts'

const actorsText = auditText.actors

const dayMs = 86_400_000

/** Activity of colleagues in what is listed, or in the days of the list; unusual activity comes first and is marked. */
export function Actors({ filter }: { readonly filter: AuditFilter }) {
  const { data, error, refetch, isFetching } = useQuery(auditActorsQuery(filter))
  return (
    <section aria-label={actorsText.title} className={classes.actors}>
      {data ? (
        <ActorList data={data} filter={filter} />
      ) : error ? (
        <InlineFailure
          title={actorsText.failed}
          error={error}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <SkeletonRows rows={shownActors} />
      )}
    </section>
  )
}

function ActorList({ data, filter }: { readonly data: AuditActors; readonly filter: AuditFilter }) {
  const [isWhole, setWhole] = useState(false)
  const asked = data.actors.filter(({ actor }) => filter.actor === undefined || actor === filter.actor)
  const unusual = asked.filter((each) => each.unusual).length
  const least = Math.max(shownActors, unusual)
  const isLong = !isWhole && asked.length > least
  return (
    <>
      <div className={classes.head}>
        <h2>{actorsText.title}</h2>
        <span className="ds-dimmed">
          <Span {...data} isOfSome={isOfSome(filter)} />
        </span>
      </div>
      {unusual > 0 && (
        <p className={classes.warning}>
          <IconAlertTriangle size={16} stroke={2} aria-hidden />
          {actorsText.warning(unusual)}
        </p>
      )}
      <DataTable
        label={actorsText.title}
        columns={columns}
        rows={isLong ? asked.slice(0, least) : asked}
        rowKey={({ actor }) => actor}
        empty={<p className="ds-dimmed">{isOfSome(filter) ? actorsText.noneListed : actorsText.none}</p>}
      />
      {isLong && (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
          {actorsText.more(asked.length - least)}
        </Button>
      )}
      {!isLong && data.atLeast === true && <p className="ds-dimmed">{actorsText.atLeast}</p>}
    </>
  )
}

interface SpanProps extends Pick<AuditActors, 'from' | 'to' | 'cut'> {
  readonly isOfSome: boolean
}

/** Time span of the figures: in days if the figures are kept by day, otherwise to the second. */
function Span({ from, to, cut, isOfSome }: SpanProps) {
  const { shown } = use(ZonesContext)
  const [first, end] = [Date.parse(from), Date.parse(to)]
  if (!isOfSome) return actorsText.days(dateOf(first, 'utc'), dateOf(end - dayMs, 'utc'))
  const span = actorsText.span(exactTime(first, shown), exactTime(end, shown))
  return cut === true ? actorsText.cut(span) : span
}

function Busiest({ busiest: { people, hour } }: AuditActor) {
  const { shown } = use(ZonesContext)
  const ms = Date.parse(hour)
  return (
    <span className={classes.busiest} {...hint(exactTime(ms, shown))}>
      {actorsText.at(people, minuteOf(ms, shown))}
    </span>
  )
}

function Unusual({ unusual, busiest, usual }: AuditActor) {
  if (!unusual) return null
  return (
    <span className={classes.unusual}>
      <IconAlertTriangle size={14} stroke={2} aria-hidden />
      <span {...hint(actorsText.unusualHint(busiest.people, usual))}>{actorsText.unusual}</span>
    </span>
  )
}

function count(id: 'people' | 'reads' | 'checks' | 'changes'): Column<AuditActor> {
  return { ...actorPlaces[id], header: actorsText[id], cell: (row) => number(row[id]) }
}

const columns: readonly Column<AuditActor>[] = [
  { ...actorPlaces.actor, header: actorsText.actor, cell: ({ actor }) => <ActorLink actor={actor} /> },
  {
    ...actorPlaces.mark,
    header: actorsText.unusual,
    headerHidden: true,
    cell: (row) => <Unusual {...row} />,
  },
  count('people'),
  count('reads'),
  count('checks'),
  count('changes'),
  { ...actorPlaces.busiest, header: actorsText.busiest, cell: (row) => <Busiest {...row} /> },
]
