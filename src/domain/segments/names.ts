import type { Segment } from '#contract/index.ts'
import { segmentText } from '../../messages/index.ts'

export function segmentName({ name }: Pick<Segment, 'name'>): string {
  return name === null || name === undefined || name.trim() === '' ? segmentText.unnamed : name
}

/** The names of segments by id. Ids compare in lower case, as filters hold them. */
export function segmentNamesById(segments: readonly Segment[]): (id: string) => string | undefined {
  const names = new Map(segments.map((segment) => [segment.id.toLowerCase(), segmentName(segment)]))
  return (id) => names.get(id.toLowerCase())
}
