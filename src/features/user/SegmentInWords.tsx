import '@mantine/core/styles/Text.layer.css'

import { Text } from '@mantine/core'

import type { Segment } from '#contract/index.ts'
import { judgementText } from '../../messages/index.ts'
import { sentenceOf } from '../../domain/filters/sentence.ts'

export interface SegmentInWordsProps {
  readonly segment: Segment
  /** Where the names of those are found that it uses. */
  readonly all: readonly Segment[]
}

/** Whom a segment holds: to compare with what is known of a user. */
export function SegmentInWords({ segment: { filter, tz }, all }: SegmentInWordsProps) {
  const segmentName = (id: string) => all.find((each) => each.id.toLowerCase() === id)?.name ?? undefined
  return (
    <Text size="sm" flex="1 1 100%">
      {judgementText.asks} {sentenceOf(filter, { tz, segmentName })}
    </Text>
  )
}
