import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { number } from '../../messages/format.ts'
import { homeText } from '../../messages/index.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { type Day, type Kind, kinds, twoDaysQuery } from './queries.ts'
import { Quiet, Tile } from './Tile.tsx'

const changesText = homeText.changes

interface Row {
  readonly kind: Kind | 'failed'
  readonly days: { readonly today: Day; readonly yesterday: Day }
}

/** Counts of today's and yesterday's events by kind; each links to its events. */
export function ChangesTile() {
  const { shown } = use(ZonesContext)
  const read = useQuery(twoDaysQuery(shown))
  return (
    <Tile title={changesText.title} all={{ to: links.events(), words: changesText.all }} read={read}>
      {(days) => {
        const rows = [...(Object.keys(kinds) as Kind[]), 'failed' as const]
          .filter((kind) => countOf(days.today, kind) + countOf(days.yesterday, kind) > 0)
          .map((kind): Row => ({ kind, days }))
        return (
          <DataTable
            label={changesText.title}
            columns={columns}
            rows={rows}
            rowKey={({ kind }) => kind}
            empty={<Quiet>{changesText.none}</Quiet>}
          />
        )
      }}
    </Tile>
  )
}

const countOf = (day: Day, kind: Row['kind']) => (kind === 'failed' ? day.failed : day.counts[kind])

function Count({ row: { kind, days }, day }: { readonly row: Row; readonly day: 'today' | 'yesterday' }) {
  const { from, to } = days[day]
  const count = countOf(days[day], kind)
  if (count === 0) return <span className="ds-dimmed">0</span>
  const filter = kind === 'failed' ? { delivery: 'failed' } : { type: kinds[kind].join(',') }
  return (
    <Link
      to={links.events({ ...filter, from, to })}
      aria-label={changesText.events(changesText.kinds[kind], changesText.columns[day], count)}
    >
      {number(count)}
    </Link>
  )
}

const columns: readonly Column<Row>[] = [
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
