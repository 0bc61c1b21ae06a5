import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { Segment, SegmentHistory } from '#contract/index.ts'
import { segmentText } from '../../messages/index.ts'
import { hint } from '../../ui/Hint.tsx'
import { Sparkline } from '../../ui/Sparkline.tsx'
import { segmentHistoryQuery } from './queries.ts'
import { Fact } from './Titled.tsx'

interface SizesProps {
  /** At least two, day by day. */
  readonly sizes: SegmentHistory['sizes']
}

function wordsOf(sizes: SegmentHistory['sizes']): string {
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

/** The same with its figures in text, once there are some: no page waits for them. */
export function SizeOverTime({
  id,
  segments,
}: {
  readonly id: string
  readonly segments: readonly Segment[]
}) {
  const { data } = useQuery(segmentHistoryQuery(segments))
  const sizes = data?.find((history) => history.id === id)?.sizes ?? []
  if (sizes.length < 2) return null
  return (
    <Fact title={segmentText.detail.sizes}>
      <Stack gap={4} pt={4}>
        <span aria-hidden>
          <Trend sizes={sizes} />
        </span>
        {wordsOf(sizes)}
      </Stack>
    </Fact>
  )
}
