import { Box, Button, Group, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconAlertTriangle } from '@tabler/icons-react'
import { use, useState } from 'react'

import type { AuditActor, AuditActors } from '#contract/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { actorText } from '../../messages/index.ts'
import { number } from '../../messages/format.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { hint } from '../../ui/Hint.tsx'
import { dayMs } from '../../ui/moments.tsx'
import { dateOf, exactTime, minuteOf } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import classes from './AuditPage.module.css'
import { ActorLink } from './columns.tsx'
import { type AuditFilter, isNarrowed } from './filter.ts'
import { actorPlaces, shownActors } from './places.ts'
import { auditActorsQuery } from './queries.ts'

const alarmIcon = { size: 14, stroke: 2, style: { verticalAlign: '-2px' }, 'aria-hidden': true }

/**
 * Activity of each colleague in the listed events, or in the days that the list covers. Unusual activity comes first
 * and is marked.
 */
export function Actors({ filter }: { readonly filter: AuditFilter }) {
  const { data, error, refetch, isFetching } = useQuery(auditActorsQuery(filter))
  return (
    <Box component="section" aria-label={actorText.title} pb="lg">
      {data ? (
        <ActorList data={data} filter={filter} />
      ) : error ? (
        <InlineFailure
          title={actorText.failed}
          error={error}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <SkeletonRows rows={shownActors} />
      )}
    </Box>
  )
}

function ActorList({ data, filter }: { readonly data: AuditActors; readonly filter: AuditFilter }) {
  const [isWhole, setWhole] = useState(false)
  const listed = data.actors.filter(({ actor }) => filter.actor === undefined || actor === filter.actor)
  const unusual = listed.filter((each) => each.unusual).length
  const least = Math.max(shownActors, unusual)
  const isLong = !isWhole && listed.length > least
  return (
    <>
      <Group align="baseline" gap="0 12px" pb={8}>
        <Title order={2} fz="md">
          {actorText.title}
        </Title>
        <span className="ds-dimmed">
          <FiguresSpan {...data} isNarrowed={isNarrowed(filter)} />
        </span>
      </Group>
      {unusual > 0 && (
        <Text fw={500} c="var(--ds-changed)" pb={8}>
          <IconAlertTriangle {...alarmIcon} /> {actorText.warning({ count: unusual })}
        </Text>
      )}
      <DataTable
        label={actorText.title}
        columns={actorColumns}
        rows={isLong ? listed.slice(0, least) : listed}
        rowKey={({ actor }) => actor}
        empty={<p className="ds-dimmed">{isNarrowed(filter) ? actorText.noneListed : actorText.none}</p>}
      />
      {isLong && (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
          {actorText.more({ count: listed.length - least })}
        </Button>
      )}
      {!isLong && data.atLeast === true && <p className="ds-dimmed">{actorText.atLeast}</p>}
    </>
  )
}

interface FiguresSpanProps extends Pick<AuditActors, 'from' | 'to' | 'cut'> {
  readonly isNarrowed: boolean
}

/** Time span of the figures: in days if the figures are kept by day, otherwise to the second. */
function FiguresSpan({ from, to, cut, isNarrowed }: FiguresSpanProps) {
  const { shown } = use(ZonesContext)
  const [first, end] = [Date.parse(from), Date.parse(to)]
  if (!isNarrowed) return actorText.days({ from: dateOf(first, 'utc'), to: dateOf(end - dayMs, 'utc') })
  const span = { from: exactTime(first, shown), to: exactTime(end, shown) }
  return cut === true ? actorText.cut(span) : actorText.span(span)
}

function BusiestCell({ busiest: { people, hour } }: AuditActor) {
  const { shown } = use(ZonesContext)
  const ms = Date.parse(hour)
  return (
    <span className={classes.busiest} {...hint(exactTime(ms, shown))}>
      {actorText.at({ count: people, time: minuteOf(ms, shown) })}
    </span>
  )
}

function UnusualCell({ unusual, busiest, usual }: AuditActor) {
  if (!unusual) return null
  const most = busiest.people
  const reason =
    usual === undefined ? actorText.unusualAlone({ most }) : actorText.unusualAmongDays({ most, usual })
  return (
    <Text span inherit fw={500} c="var(--ds-changed)" {...hint(reason)}>
      <IconAlertTriangle {...alarmIcon} /> {actorText.unusual}
    </Text>
  )
}

function countColumn(id: 'people' | 'reads' | 'checks' | 'changes'): Column<AuditActor> {
  return { ...actorPlaces[id], header: actorText[id], cell: (row) => number(row[id]) }
}

const actorColumns: readonly Column<AuditActor>[] = [
  { ...actorPlaces.actor, header: actorText.actor, cell: ({ actor }) => <ActorLink actor={actor} /> },
  {
    ...actorPlaces.mark,
    header: actorText.unusual,
    headerHidden: true,
    cell: (row) => <UnusualCell {...row} />,
  },
  countColumn('people'),
  countColumn('reads'),
  countColumn('checks'),
  countColumn('changes'),
  { ...actorPlaces.busiest, header: actorText.busiest, cell: (row) => <BusiestCell {...row} /> },
]
