import type { SegmentHistory } from '#contract/index.ts'
import { segmentText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { Sparkline } from '../../ui/Sparkline.tsx'

interface SizesProps {
  /** At least two, day by day. */
  readonly sizes: SegmentHistory['sizes']
}

/** What the line says. */
export function wordsOf(sizes: SegmentHistory['sizes']): string {
  const [first] = sizes
  return first ? segmentText.sizeOverTime(first.day, first.total, sizes.at(-1)?.total ?? 0) : ''
}

/** How a segment came to its size, as a line that says it on hover. */
export function Trend({ sizes, className }: SizesProps & { readonly className?: string | undefined }) {
  const words = wordsOf(sizes)
  return (
    <span className={className} {...hint(words)}>
      <Sparkline
        points={sizes.map(({ day, total }) => ({ at: Date.parse(day), value: total }))}
        label={words}
      />
    </span>
  )
}
