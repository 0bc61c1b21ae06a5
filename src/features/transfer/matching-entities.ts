import { type Filter, type Judged, readAnsweredFilter, type Segment } from '#contract/index.ts'
import type { UserSource } from '../../domain/user-list/user-pages.ts'

/** Builds the filter that a source's users satisfy. All users, and users selected by hand, satisfy the empty filter. */
export function buildFilter({ segment = '', search }: UserSource): {
  filter: Filter
  tz?: string | undefined
} {
  const within = search?.segment ?? segment
  const filters: Filter[] = [
    ...(search?.filter ? [search.filter] : []),
    ...(within === '' ? [] : [{ segment: within }]),
  ]
  const [only] = filters
  return { filter: only && filters.length === 1 ? only : { all: filters }, tz: search?.tz }
}

/** Returns the entity types in a filter and in the segments it uses, in order. Skips conditions under "not". */
export function listTypes(filter: Filter, segments: readonly Segment[]): string[] {
  const types = new Set<string>()
  const met = new Set<string>()
  const ask = (segmentId: string) => {
    if (met.has(segmentId)) return
    met.add(segmentId)
    const filter = readAnsweredFilter(
      segments.find((segment) => segment.id.toLowerCase() === segmentId)?.filter,
    )
    if (filter) walk(filter)
  }
  const walk = (filter: Filter) => {
    if ('all' in filter) filter.all.forEach(walk)
    else if ('any' in filter) filter.any.forEach(walk)
    else if ('segment' in filter) ask(filter.segment.toLowerCase())
    else if ('entity' in filter) types.add(filter.entity)
  }
  walk(filter)
  return [...types]
}

/** Returns the ids of the entities of a type that make a user match the judged filter. */
export function listMatching(judged: Judged, type: string): string[] {
  if (!judged.pass) return []
  const inside = (parts: readonly Judged[]) => parts.flatMap((part) => listMatching(part, type))
  if ('all' in judged) return inside(judged.all)
  if ('any' in judged) return inside(judged.any)
  if ('segment' in judged) return judged.is ? listMatching(judged.is, type) : []
  if ('entities' in judged && judged.entity === type)
    return judged.entities.flatMap(({ id, pass }) => (pass ? [id] : []))
  return []
}
