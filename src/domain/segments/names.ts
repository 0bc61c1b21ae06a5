import type { Segment } from '#contract/index.ts'
import { segmentText } from '../../messages/index.ts'

export function segmentName({ name }: { readonly name?: Segment['name'] }): string {
  return name === null || name === undefined || name.trim() === '' ? segmentText.unnamed : name
}

/** Returns a function that finds a segment's name by id. Ids are compared in lower case, as in filters. */
export function segmentNamesById(segments: readonly Segment[]): (id: string) => string | undefined {
  const names = new Map(segments.map((segment) => [segment.id.toLowerCase(), segmentName(segment)]))
  return (id) => names.get(id.toLowerCase())
}
