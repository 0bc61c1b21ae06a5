import type { CSSProperties } from 'react'

import { sharedText } from '../messages/index.ts'
import { type Column, DataTable } from './DataTable.tsx'
import { PageHeader } from './PageHeader.tsx'
import { SkeletonBar } from './skeletons/SkeletonRows.tsx'
import beside from './Beside.module.css'

/** Layout of a column, known before the list's code has loaded. The list builds its own columns from it too. */
export type ColumnLayout = Pick<Column<never>, 'id' | 'width' | 'tabletWidth' | 'align' | 'narrow'>

type ListLayout = Readonly<Record<string, ColumnLayout>>

export interface ListSkeletonProps {
  readonly title: string
  /** CSS width of the sentence below the title. */
  readonly lead?: string
  /** Placeholders between header and table, each of a different width; `isBox` makes one as high as a control. */
  readonly bars?: readonly { readonly width: string; readonly isBox?: boolean; readonly space: string }[]
  /** Whether a list of the page's parts is beside them. */
  readonly isIndexed?: boolean
  /** Table with a heading above the main table. */
  readonly first?: { readonly columns: ListLayout; readonly rows: number }
  readonly columns: ListLayout
  /** CSS height of a placeholder row; that of a table row if undefined. */
  readonly rowHeight?: string
}

const toBlankColumn = (layout: ColumnLayout): Column<never> => ({ ...layout, header: '', cell: () => null })

/** Table without texts, for the eye alone: column headers without a name would be read as such. */
function Blank({ columns, rows }: { readonly columns: ListLayout; readonly rows?: number }) {
  return (
    <div aria-hidden>
      <DataTable
        label={sharedText.loading}
        columns={Object.values(columns).map(toBlankColumn)}
        rows={undefined}
        rowKey={() => ''}
        empty={null}
        {...(rows !== undefined && { skeletonRows: rows })}
      />
    </div>
  )
}

/** Creates the placeholder of a page with a table, in its final layout, so that nothing moves once it is loaded. */
export const listSkeleton = ({
  title,
  lead,
  bars,
  isIndexed,
  first,
  columns,
  rowHeight,
}: ListSkeletonProps) =>
  function ListSkeleton() {
    return (
      <>
        <PageHeader
          title={title}
          {...(lead !== undefined && {
            below: (
              <span style={{ minWidth: 0 }}>
                <SkeletonBar width={lead} />
              </span>
            ),
          })}
        />
        <span className="ds-visually-hidden">{sharedText.loading}</span>
        <div className={isIndexed === true ? beside.withIndex : undefined}>
          <div className={isIndexed === true ? beside.indexed : undefined}>
            <div>
              {bars?.map(({ width, isBox, space }) => (
                <div key={width} style={{ padding: space }}>
                  <SkeletonBar
                    width={width}
                    {...(isBox === true && { height: 'var(--ds-control-height)' })}
                  />
                </div>
              ))}
              {first && (
                <div style={{ paddingBottom: 24 }}>
                  <div style={{ paddingBottom: 8 }}>
                    <SkeletonBar width="480px" />
                  </div>
                  <Blank {...first} />
                </div>
              )}
              <div style={{ '--ds-row-height': rowHeight } as CSSProperties}>
                <Blank columns={columns} />
              </div>
            </div>
          </div>
        </div>
      </>
    )
  }
