/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- on narrow screens
   the rows become blocks, and browsers then drop a table's own semantics: the roles keep them */
import type { CSSProperties, MouseEvent, ReactNode } from 'react'

import { sharedText } from '../messages/index.ts'
import { hint } from './Hint.tsx'
import { SkeletonBar, skeletonWidth } from './skeletons/SkeletonRows.tsx'
import classes from './DataTable.module.css'

export interface Column<Row> {
  readonly id: string
  /** Column header, on one line. With `headerHidden`, a column of buttons has its header for screen readers only. */
  readonly header: string
  readonly headerHidden?: boolean
  readonly hint?: string
  readonly cell: (row: Row) => ReactNode
  /**
   * Returns the id of the element that names the row for screen readers, which say it in each other column. Given by a
   * column whose cells hold more than the name.
   */
  readonly namedBy?: (row: Row) => string
  readonly sortable?: boolean
  /** CSS width; columns without one share the rest. The table layout is fixed, so paging does not move the columns. */
  readonly width?: string
  /** CSS width in windows up to 1,100 pixels, if it differs there. */
  readonly tabletWidth?: string
  readonly align?: 'start' | 'end'
  /**
   * Form on narrow screens, below the line of the first column: without header (default), with it, or hidden.
   * `wideOnly` is hidden on tablets in both orientations too.
   */
  readonly narrow?: 'plain' | 'labelled' | 'hidden' | 'wideOnly'
}

export interface Order {
  readonly by: string | undefined
  readonly isDescending: boolean
  readonly onSort: (column: string) => void
}

export interface DataTableProps<Row> {
  readonly label: string
  readonly describedBy?: string
  /** Columns of the table. The first one identifies the row. */
  readonly columns: readonly Column<Row>[]
  /** Rows; undefined while loading, which shows skeleton rows of the final size. */
  readonly rows: readonly Row[] | undefined
  readonly rowKey: (row: Row) => string
  /** Heading of the group that a row is in; undefined if it is in none. Rows of a group have a heading above them. */
  readonly heading?: (row: Row) => string | undefined
  readonly empty: ReactNode
  readonly skeletonRows?: number
  /** Current order; undefined if the rows cannot be reordered. */
  readonly order?: Order | undefined
  /** Key of the row that is open beside the table. */
  readonly selectedKey?: string | undefined
  /** Whether other rows are loading; the current ones stay, dimmed. */
  readonly pending?: boolean
}

/** Class of a table whose rows look like those of a `DataTable`, and are laid out otherwise. */
export const rowsClass = classes.rows

/** Props for the only link of a row. A click anywhere in the row follows it; the keyboard sees only the link. */
export const rowLink = { 'data-row-link': true } as const

/**
 * Dense, semantic table with a sticky header, rows of 36 px, and tabular figures where numbers are below each other.
 * Mantine's Table is not used: its scroll container adds all of floating-ui (16 kB, gzip) to the first page
 * (docs/decisions/0015).
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    describedBy,
    columns,
    rows,
    empty,
    skeletonRows = 12,
    order,
    pending = false,
    heading = () => undefined,
  } = props
  if (rows?.length === 0) return <>{empty}</>
  return (
    <table
      role="table"
      aria-label={label}
      aria-describedby={describedBy}
      aria-busy={rows === undefined || pending}
      className={classes.table}
    >
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <Header key={column.id} {...column} order={order} />
          ))}
        </tr>
      </thead>
      {rows === undefined ? (
        <tbody role="rowgroup" aria-label={sharedText.loading} data-loading>
          {Array.from({ length: skeletonRows }, (_, row) => (
            <tr key={row} role="row">
              {columns.map(({ id, headerHidden, narrow }, index) => (
                <td key={id} role="cell" data-narrow={narrow}>
                  {headerHidden !== true && <SkeletonBar width={skeletonWidth(row, index)} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      ) : (
        [...Map.groupBy(rows, heading)].map(([of, ofGroup]) => (
          <Rows key={of ?? ''} {...props} of={of} rows={ofGroup} />
        ))
      )}
    </table>
  )
}

interface RowsProps<Row> extends Pick<DataTableProps<Row>, 'columns' | 'rowKey' | 'selectedKey' | 'pending'> {
  /** Heading above the rows. */
  readonly of: string | undefined
  readonly rows: readonly Row[]
}

function Rows<Row>({ of, rows, columns, rowKey, selectedKey, pending }: RowsProps<Row>) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a wider target for the pointer; the keyboard uses the row's own link
    <tbody role="rowgroup" onClick={followRowLink} data-pending={pending === true || undefined}>
      {of !== undefined && (
        <tr role="row">
          <th role="rowheader" scope="rowgroup" colSpan={columns.length}>
            {of}
          </th>
        </tr>
      )}
      {rows.map((row) => {
        const key = rowKey(row)
        return (
          <tr key={key} role="row" data-selected={key === selectedKey || undefined}>
            {columns.map(({ id, header, cell, namedBy, align, narrow }) => (
              <td
                key={id}
                role={namedBy ? 'rowheader' : 'cell'}
                aria-labelledby={namedBy?.(row)}
                data-align={align}
                data-narrow={narrow}
                data-label={header}
              >
                {cell(row)}
              </td>
            ))}
          </tr>
        )
      })}
    </tbody>
  )
}

function Header(props: Omit<Column<never>, 'cell'> & Pick<DataTableProps<never>, 'order'>) {
  const { id, header, headerHidden, hint: said, align, width, tabletWidth, sortable, narrow, order } = props
  const sorted = order?.by === id ? (order.isDescending ? 'descending' : 'ascending') : undefined
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={sorted}
      data-align={align}
      data-narrow={narrow}
      style={{ width, '--tablet-width': tabletWidth } as CSSProperties}
      data-tablet={tabletWidth === undefined ? undefined : ''}
      {...hint(said)}
    >
      {headerHidden === true ? (
        <span className="ds-visually-hidden">{header}</span>
      ) : order && sortable === true ? (
        <button type="button" className={classes.sort} onClick={() => order.onSort(id)}>
          {header}
        </button>
      ) : (
        header
      )}
    </th>
  )
}

/** Click handler for a table body: a click on a row follows its `rowLink`. */
export function followRowLink(event: MouseEvent<HTMLElement>) {
  const { target } = event
  if (event.defaultPrevented || !(target instanceof Element)) return
  // Ignores clicks on other controls, and clicks that end a text selection.
  if (target.closest('a, button, input, select, textarea, label') || getSelection()?.isCollapsed === false)
    return
  const link = target.closest('tr')?.querySelector<HTMLAnchorElement>('a[data-row-link]')
  if (!link) return
  if (event.metaKey || event.ctrlKey) window.open(link.href, '_blank', 'noopener')
  else link.click()
}
