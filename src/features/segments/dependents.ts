import { readAnsweredFilter, type Segment } from '#contract/index.ts'

/** Returns the other segments whose filters refer to this one. References in an unknown grammar may be missed. */
export function dependentsOf(id: string, segments: readonly Segment[]): readonly Segment[] {
  const usedId = id.toLowerCase()
  return segments.filter((each) => each.id.toLowerCase() !== usedId && uses(each.filter, usedId))
}

function uses(part: unknown, id: string): boolean {
  if (part === null || typeof part !== 'object') return false
  if (!Array.isArray(part) && 'segment' in part && typeof part.segment === 'string')
    return part.segment.toLowerCase() === id
  return Object.values(part).some((each) => uses(each, id))
}

/** Returns whether the filter of any segment has an unknown grammar, so that the segments it uses are unknown. */
export function hasUnreadable(segments: readonly Segment[]): boolean {
  return segments.some(({ filter }) => readAnsweredFilter(filter) === undefined)
}
