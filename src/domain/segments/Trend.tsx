import type { SegmentHistory } from '#contract/index.ts'
import { segmentText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { dateOf } from '../../ui/time.ts'
import classes from './Trend.module.css'

interface TrendProps {
  /** Daily sizes, at least two. */
  readonly sizes: SegmentHistory['sizes']
  readonly className?: string | undefined
}

/** Describes the line for screen readers and on hover. */
export function sizesInWords(sizes: SegmentHistory['sizes']): string {
  const [first] = sizes
  return first
    ? segmentText.sizeOverTime({
        day: dateOf(Date.parse(first.day), 'utc'),
        from: first.total,
        to: sizes.at(-1)?.total ?? 0,
      })
    : ''
}

const width = 72
const height = 20
/** Inset that keeps the line's full width inside the image. */
const edge = 1.5

/**
 * Line without axes, scaled from the least to the greatest size. Mantine's own sparkline would add a charting library
 * (90 kB).
 */
export function Trend({ sizes, className }: TrendProps) {
  const words = sizesInWords(sizes)
  const totals = sizes.map(({ total }) => total)
  const least = Math.min(...totals)
  const range = Math.max(...totals) - least
  const days = sizes.map(({ day }) => Date.parse(day))
  const [first = 0] = days
  const span = (days.at(-1) ?? 0) - first
  const points = sizes.map(({ day, total }) => {
    const x = edge + ((Date.parse(day) - first) / span) * (width - 2 * edge)
    // A constant size is drawn in the vertical middle.
    const y = height - edge - (range === 0 ? 0.5 : (total - least) / range) * (height - 2 * edge)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  const line = points.join(' ')
  const [endX, endY] = points.at(-1)?.split(',') ?? []
  return (
    <span className={className} {...hint(words)}>
      <svg
        role="img"
        aria-label={words}
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        className={classes.root}
      >
        <polygon points={`${edge},${height} ${line} ${width - edge},${height}`} className={classes.area} />
        <polyline points={line} className={classes.line} />
        <circle cx={endX} cy={endY} r="1.5" className={classes.end} />
      </svg>
    </span>
  )
}
