import { readAnsweredFilter, type Segment } from '#contract/index.ts'

/** The segments whose filters use this one, as far as the filters can be read. */
export function dependentsOf(id: string, segments: readonly Segment[]): readonly Segment[] {
  const sought = id.toLowerCase()
  return segments.filter((each) => each.id.toLowerCase() !== sought && uses(each.filter, sought))
}

function uses(part: unknown, id: string): boolean {
  if (part === null || typeof part !== 'object') return false
  if (!Array.isArray(part) && 'segment' in part && typeof part.segment === 'string')
    return part.segment.toLowerCase() === id
  return Object.values(part).some((each) => uses(each, id))
}

/** Some filter is of another grammar: who uses what there is not known. */
export function hasUnreadable(segments: readonly Segment[]): boolean {
  return segments.some(({ filter }) => readAnsweredFilter(filter) === undefined)
}
