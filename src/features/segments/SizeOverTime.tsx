import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import type { Segment } from '#contract/index.ts'
import { segmentHistoryQuery } from '../../domain/queries/segments.ts'
import { Trend, wordsOf } from '../../domain/segments/Trend.tsx'
import { segmentText } from '../../messages/index.ts'
import { Fact } from './Titled.tsx'

/** How a segment came to its size, as a line and in text, once there are some: no page waits for them. */
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
