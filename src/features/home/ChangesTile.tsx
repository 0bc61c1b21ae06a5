import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { homeText } from '../../messages/index.ts'
import { number } from '../../messages/language/format.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { type ActivityDay, type ActivityKind, activityKinds, twoDaysQuery } from './queries.ts'
import { Tile } from './Tile.tsx'

const changesText = homeText.changes

interface ActivityRow {
  readonly kind: ActivityKind
  readonly today: ActivityDay
  readonly yesterday: ActivityDay
}

export function ChangesTile() {
  const { shown } = use(ZonesContext)
  const read = useQuery(twoDaysQuery(shown))
  return (
    <Tile text={changesText} to={links.events()} read={read}>
      {({ today, yesterday }) => {
        const kinds = (Object.keys(today.counts) as ActivityKind[]).filter(
          (kind) => today.counts[kind] + yesterday.counts[kind] > 0,
        )
        if (kinds.length === 0) return []
        return (
          <DataTable
            label={changesText.title}
            columns={activityColumns}
            rows={kinds.map((kind) => ({ kind, today, yesterday }))}
            rowKey={({ kind }) => kind}
            empty={null}
          />
        )
      }}
    </Tile>
  )
}

const activityColumns: readonly Column<ActivityRow>[] = [
  { id: 'what', header: changesText.columns.what, cell: ({ kind }) => changesText.kinds[kind] },
  ...(['today', 'yesterday'] as const).map((day): Column<ActivityRow> => ({
    id: day,
    header: changesText.columns[day],
    width: '96px',
    align: 'end',
    narrow: 'labelled',
    cell: (row) => <EventCount {...row[day]} kind={row.kind} day={changesText.columns[day]} />,
  })),
]

interface EventCountProps extends ActivityDay {
  readonly kind: ActivityKind
  readonly day: string
}

function EventCount({ kind, day, counts, from, to }: EventCountProps) {
  const count = counts[kind]
  if (count === 0) return <span className="ds-dimmed">0</span>
  const filter = kind === 'failed' ? { delivery: 'failed' } : { type: activityKinds[kind].join(',') }
  return (
    <Link
      to={links.events({ ...filter, from, to })}
      aria-label={changesText.events({ kind: changesText.kinds[kind], day, count })}
    >
      {number(count)}
    </Link>
  )
}
