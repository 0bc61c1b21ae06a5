import { NativeSelect, Text } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { importCheckText } from '../../messages/index.ts'
import { number } from '../../messages/language/format.ts'
import { useAnnounced } from '../../ui/announced.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { hint } from '../../ui/Hint.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { Note } from './layout.tsx'
import type { ImportRow } from './rows.ts'
import shared from '../../domain/work/Report.module.css'

const rowsPerPage = 50

/** Colours of the results of a row, predicted or actual; the others have the text colour. */
const colors: Readonly<Record<string, `var(--${string})`>> = {
  error: 'var(--ds-removed)',
  failed: 'var(--ds-removed)',
  create: 'var(--ds-added)',
  created: 'var(--ds-added)',
}
const outcomeColor = (kind: string) => colors[kind] ?? 'var(--mantine-color-text)'

export interface ListedRow<Kind extends string> {
  readonly row: ImportRow
  readonly kind: Kind
  /** Returns the note of the row; called only if the note is shown or saved. */
  readonly note: () => string | undefined
  /** Id of the matching or created user. */
  readonly userId?: string | undefined
}

interface RowListProps<Kind extends string> {
  readonly rows: readonly ListedRow<Kind>[]
  /** Labels of the kinds, in the order in which they are counted and offered. */
  readonly kinds: Readonly<Record<Kind, string>>
  readonly children?: ReactNode
}

/** Lists the predicted or actual results of the rows: counted by kind, filterable by kind, and paged. */
export function RowList<Kind extends string>({ rows, kinds, children }: RowListProps<Kind>) {
  const [chosen, setChosen] = useState<Kind>()
  const [from, setFrom] = useState(0)
  const names = Object.keys(kinds) as Kind[]
  const byKind = useMemo(() => Map.groupBy(rows, ({ kind }) => kind), [rows])
  const counted = names.flatMap((kind) => {
    const count = byKind.get(kind)?.length
    return count === undefined ? [] : [{ kind, name: kinds[kind], count }]
  })
  useAnnounced(counted.map(({ name, count }) => importCheckText.counted({ kind: name, count })).join(', '))
  const shown = chosen === undefined ? rows : (byKind.get(chosen) ?? [])
  const columns = useMemo(() => columnsFor(kinds), [kinds])
  const here = Math.min(from, Math.max(0, Math.ceil(shown.length / rowsPerPage) - 1) * rowsPerPage)
  const page = shown.slice(here, here + rowsPerPage)

  return (
    <>
      <dl className={shared.counts}>
        {counted.map(({ kind, name, count }) => (
          <div key={kind}>
            <dt>{name}</dt>
            <dd style={{ color: outcomeColor(kind) }}>{number(count)}</dd>
          </div>
        ))}
      </dl>
      {children}
      <NativeSelect
        maw={240}
        label={importCheckText.filter}
        value={chosen ?? ''}
        onChange={({ currentTarget: { value } }) => {
          setChosen(names.find((kind) => kind === value))
          setFrom(0)
        }}
        data={[
          { value: '', label: importCheckText.choice({ kind: importCheckText.all, count: rows.length }) },
          ...counted.map(({ kind, name, count }) => ({
            value: kind,
            label: importCheckText.choice({ kind: name, count }),
          })),
        ]}
      />
      <DataTable
        label={importCheckText.table}
        columns={columns}
        rows={page}
        rowKey={({ row }) => String(row.row)}
        empty={<Note>{importCheckText.noneShown}</Note>}
      />
      {shown.length > rowsPerPage && (
        <Pager
          from={here + 1}
          to={here + page.length}
          total={shown.length}
          onFirst={here === 0 ? undefined : () => setFrom(0)}
          onPrevious={here === 0 ? undefined : () => setFrom(here - rowsPerPage)}
          onNext={here + rowsPerPage >= shown.length ? undefined : () => setFrom(here + rowsPerPage)}
        />
      )}
    </>
  )
}

function columnsFor<Kind extends string>(
  kinds: Readonly<Record<Kind, string>>,
): readonly Column<ListedRow<Kind>>[] {
  const long = (value: string | undefined) => value !== undefined && <span {...hint(value)}>{value}</span>
  return [
    { id: 'row', header: importCheckText.row, width: '72px', cell: ({ row }) => number(row.row) },
    {
      id: 'kind',
      header: importCheckText.what,
      width: '150px',
      cell: ({ kind }) => (
        <Text component="span" inherit fw={500} c={outcomeColor(kind)}>
          {kinds[kind]}
        </Text>
      ),
    },
    {
      id: 'name',
      header: importCheckText.who,
      width: '18%',
      cell: ({ row, userId }) => {
        const name = row.body.name ?? row.email ?? row.ref ?? importCheckText.noName
        return userId === undefined ? long(row.body.name) : <Link to={links.user(userId)}>{name}</Link>
      },
    },
    { id: 'email', header: importCheckText.email, width: '20%', cell: ({ row }) => long(row.body.email) },
    { id: 'ref', header: importCheckText.ref, width: '12%', cell: ({ row }) => long(row.body.ref) },
    // Wraps instead of truncating, because a problem must be fully readable without a pointer.
    {
      id: 'note',
      header: importCheckText.note,
      cell: ({ note }) => <span className={shared.whole}>{note()}</span>,
    },
  ]
}
