import type { SegmentHistory } from '#contract/index.ts'
import { segmentText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { dateOf } from '../../ui/time.ts'
import classes from './Trend.module.css'

interface SizesProps {
  /** Daily sizes, at least two. */
  readonly sizes: SegmentHistory['sizes']
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

export function Trend({ sizes, className }: SizesProps & { readonly className?: string | undefined }) {
  const words = sizesInWords(sizes)
  return (
    <span className={className} {...hint(words)}>
      <Sparkline
        points={sizes.map(({ day, total }) => ({ at: Date.parse(day), value: total }))}
        label={words}
      />
    </span>
  )
}

interface SparklineProps {
  /** Data points, at least two; `at` in any unit, ascending. */
  readonly points: readonly { readonly at: number; readonly value: number }[]
  readonly label: string
}

const width = 72
const height = 20
/** Inset that keeps the line's full width inside the image. */
const edge = 1.5

/**
 * Line without axes, scaled from the least to the greatest value. Mantine's own sparkline would add a charting library
 * (90 kB).
 */
function Sparkline({ points, label }: SparklineProps) {
  const values = points.map(({ value }) => value)
  const least = Math.min(...values)
  const range = Math.max(...values) - least
  const first = points[0]?.at ?? 0
  const span = (points.at(-1)?.at ?? 0) - first
  const place = ({ at, value }: SparklineProps['points'][number]) => {
    const x = edge + ((at - first) / span) * (width - 2 * edge)
    // A constant size is drawn in the vertical middle.
    const y = height - edge - (range === 0 ? 0.5 : (value - least) / range) * (height - 2 * edge)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  }
  const line = points.map(place).join(' ')
  const [endX, endY] = line.split(' ').at(-1)?.split(',') ?? []
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      className={classes.root}
    >
      <polygon points={`${edge},${height} ${line} ${width - edge},${height}`} className={classes.area} />
      <polyline points={line} className={classes.line} />
      <circle cx={endX} cy={endY} r="1.5" className={classes.end} />
    </svg>
  )
}
