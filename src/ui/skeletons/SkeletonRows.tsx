import { sharedText } from '../../messages/index.ts'
import classes from './SkeletonRows.module.css'

export interface SkeletonBarProps {
  readonly width?: string
  /** CSS height; one line of text if undefined. */
  readonly height?: string
}

export function SkeletonBar({ width = '100%', height = '0.8em' }: SkeletonBarProps) {
  return <span className={classes.bar} style={{ width, height }} aria-hidden />
}

/** Placeholder of a heading, which for screen readers is never empty. */
export function SkeletonTitle({ width }: Required<Pick<SkeletonBarProps, 'width'>>) {
  return (
    <>
      <SkeletonBar width={width} />
      <span className="ds-visually-hidden">{sharedText.loading}</span>
    </>
  )
}

/** Returns a width that varies like text but is the same on every render. */
export function skeletonWidth(row: number, column: number): string {
  return `${40 + ((row * 37 + column * 53) % 45)}%`
}

export interface SkeletonRowsProps {
  readonly rows?: number
  /** CSS height; that of a table row if undefined. */
  readonly height?: string
}

/** Placeholder rows outside a table (`DataTable` renders its own while its rows are undefined). */
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
