/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- on narrow screens
   the rows become blocks, and browsers then drop a table's own semantics: the roles keep them */
import type { CSSProperties, MouseEvent, ReactNode } from 'react'

import { sharedText } from '../messages/index.ts'
import classes from './DataTable.module.css'
import { hint } from './Hint.tsx'
import { SkeletonBar, skeletonWidth } from './skeletons/SkeletonRows.tsx'

export interface Column<Row> {
  readonly id: string
  /** Header in one line; for a column of buttons a name for screen readers, with `headerHidden`. */
  readonly header: string
  readonly headerHidden?: boolean
  /** On hover of the header. */
  readonly hint?: string
  readonly cell: (row: Row) => ReactNode
  readonly sortable?: boolean
  /** A CSS width; columns without share what is left. The layout is fixed: a page of other rows moves nothing. */
  readonly width?: string
  /** The width in a window of up to 1,100 pixels, where another one is right there. */
  readonly tabletWidth?: string
  readonly align?: 'start' | 'end'
  /**
   * On a narrow screen the first column is the first line and the others make the second: as they are (default),
   * with their header before them, or not at all.
   */
  readonly narrow?: 'plain' | 'labelled' | 'hidden'
}

/** Column by which the rows are ordered, and the callback for another order. */
export interface Order {
  readonly by: string | undefined
  readonly isDescending: boolean
  readonly onSort: (column: string) => void
}

export interface DataTableProps<Row> {
  /** Names the table for screen readers. */
  readonly label: string
  /** Id of what tells how to use it. */
  readonly describedBy?: string
  /** The first column heads the row. Define columns at module level. */
  readonly columns: readonly Column<Row>[]
  /** `undefined` while loading: skeleton rows of the final size. */
  readonly rows: readonly Row[] | undefined
  readonly rowKey: (row: Row) => string
  /** In place of the rows when there are none. */
  readonly empty: ReactNode
  readonly skeletonRows?: number
  /** Absent: the rows stay as they are. */
  readonly order?: Order | undefined
  /** The row that is open beside the table. */
  readonly selectedKey?: string | undefined
  /** Other rows are on their way: these stay, dimmed. */
  readonly pending?: boolean
}

/**
 * Spread on the one link of a row: the whole row leads there with the pointer, while keyboard and screen reader
 * meet the link alone. `<Link to={…} {...rowLink}>`
 */
export const rowLink = { 'data-row-link': true } as const

/**
 * A dense, semantic table: sticky header, rows of 36 px, tabular figures where numbers stand below each other. Not Mantine's, whose container for scrolling
 * brings all of floating-ui (16 kB, gzip) to the first page: docs/decisions/0015.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    describedBy,
    columns,
    rows,
    rowKey,
    empty,
    skeletonRows = 12,
    selectedKey,
    order,
    pending = false,
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
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a wider target for the pointer; the keyboard uses the row's own link
        <tbody role="rowgroup" onClick={followRowLink} data-pending={pending || undefined}>
          {rows.map((row) => {
            const key = rowKey(row)
            return (
              <tr key={key} role="row" data-selected={key === selectedKey || undefined}>
                {columns.map(({ id, header, cell, align, narrow }) => (
                  <td key={id} role="cell" data-align={align} data-narrow={narrow} data-label={header}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      )}
    </table>
  )
}

type HeaderProps = Pick<
  Column<never>,
  'id' | 'header' | 'headerHidden' | 'hint' | 'align' | 'width' | 'tabletWidth' | 'sortable' | 'narrow'
> & {
  readonly order: Order | undefined
}

function Header(props: HeaderProps) {
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

/** For the body of a table: a click on a row follows its `rowLink`. */
export function followRowLink(event: MouseEvent<HTMLElement>) {
  const { target } = event
  if (event.defaultPrevented || !(target instanceof Element)) return
  // Not for a click on something that has a use of its own, nor at the end of selecting text.
  if (target.closest('a, button, input, select, textarea, label') || getSelection()?.isCollapsed === false)
    return
  const link = target.closest('tr')?.querySelector<HTMLAnchorElement>('a[data-row-link]')
  if (!link) return
  if (event.metaKey || event.ctrlKey) window.open(link.href, '_blank', 'noopener')
  else link.click()
}
