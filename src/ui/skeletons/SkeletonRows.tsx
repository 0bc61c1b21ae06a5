import { sharedText } from '../../messages/index.ts'
import classes from './SkeletonRows.module.css'

export interface SkeletonBarProps {
  /** A CSS width. */
  readonly width?: string
  /** A CSS height; one line of text when absent. */
  readonly height?: string
}

/** A grey bar in the place of a text to come. */
export function SkeletonBar({ width = '100%', height = '0.8em' }: SkeletonBarProps) {
  return <span className={classes.bar} style={{ width, height }} aria-hidden />
}

/** Widths that differ like texts do, the same at every render. */
export function skeletonWidth(row: number, column: number): string {
  return `${40 + ((row * 37 + column * 53) % 45)}%`
}

export interface SkeletonRowsProps {
  readonly rows?: number
  /** A CSS height; a table row's when absent. */
  readonly height?: string
}

/** Rows to come, outside a table (`DataTable` has its own while its rows are undefined). */
export function SkeletonRows({ rows = 8, height = 'var(--ds-row-height)' }: SkeletonRowsProps) {
  return (
    <output aria-busy className={classes.rows}>
      <span className="ds-visually-hidden">{sharedText.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes.row} style={{ height }}>
          <SkeletonBar width={skeletonWidth(row, 1)} />
        </div>
      ))}
    </output>
  )
}
