import type { Segment } from '#contract/index.ts'
import { judgementText } from '../../messages/index.ts'
import { sentenceOf } from '../../domain/filters/sentence.ts'
import classes from './UserSegmentsPage.module.css'

export interface SegmentInWordsProps {
  readonly segment: Segment
  /** Where the names of those are found that it uses. */
  readonly all: readonly Segment[]
}

/** Whom a segment holds: to compare with what is known of a user. */
export function SegmentInWords({ segment: { filter, tz }, all }: SegmentInWordsProps) {
  const segmentName = (id: string) => all.find((each) => each.id.toLowerCase() === id)?.name ?? undefined
  return (
    <p className={classes.words}>
      {judgementText.asks} {sentenceOf(filter, { tz, segmentName })}
    </p>
  )
}
