import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { number } from '../../messages/format.ts'
import { homeText } from '../../messages/index.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { type ActivityDay, type ActivityKind, activityKinds, twoDaysQuery } from './queries.ts'
import { EmptyTile, Tile } from './Tile.tsx'

const changesText = homeText.changes

interface ActivityRow {
  readonly kind: ActivityKind | 'failed'
  readonly days: { readonly today: ActivityDay; readonly yesterday: ActivityDay }
}

export function ChangesTile() {
  const { shown } = use(ZonesContext)
  const read = useQuery(twoDaysQuery(shown))
  return (
    <Tile title={changesText.title} all={{ to: links.events(), label: changesText.all }} read={read}>
      {(days) => {
        const rows = [...(Object.keys(activityKinds) as ActivityKind[]), 'failed' as const]
          .filter((kind) => countKind(days.today, kind) + countKind(days.yesterday, kind) > 0)
          .map((kind): ActivityRow => ({ kind, days }))
        return (
          <DataTable
            label={changesText.title}
            columns={activityColumns}
            rows={rows}
            rowKey={({ kind }) => kind}
            empty={<EmptyTile>{changesText.none}</EmptyTile>}
          />
        )
      }}
    </Tile>
  )
}

const countKind = (day: ActivityDay, kind: ActivityRow['kind']) =>
  kind === 'failed' ? day.failed : day.counts[kind]

function Count({
  row: { kind, days },
  day,
}: {
  readonly row: ActivityRow
  readonly day: 'today' | 'yesterday'
}) {
  const { from, to } = days[day]
  const count = countKind(days[day], kind)
  if (count === 0) return <span className="ds-dimmed">0</span>
  const filter = kind === 'failed' ? { delivery: 'failed' } : { type: activityKinds[kind].join(',') }
  return (
    <Link
      to={links.events({ ...filter, from, to })}
      aria-label={changesText.events({ kind: changesText.kinds[kind], day: changesText.columns[day], count })}
    >
      {number(count)}
    </Link>
  )
}

const activityColumns: readonly Column<ActivityRow>[] = [
  { id: 'what', header: changesText.columns.what, cell: ({ kind }) => changesText.kinds[kind] },
  {
    id: 'today',
    header: changesText.columns.today,
    width: '96px',
    align: 'end',
    narrow: 'labelled',
    cell: (row) => <Count row={row} day="today" />,
  },
  {
    id: 'yesterday',
    header: changesText.columns.yesterday,
    width: '96px',
    align: 'end',
    narrow: 'labelled',
    cell: (row) => <Count row={row} day="yesterday" />,
  },
]
