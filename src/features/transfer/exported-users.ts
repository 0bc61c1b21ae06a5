import {
  type BodyInput,
  type Endpoints,
  type Filter,
  maxBatchIds,
  maxSortedUsers,
  readAnsweredFilter,
  type Segment,
} from '#contract/index.ts'
import { userPages, type UserSource } from '../../domain/user-list/user-pages.ts'

/** Users of an export, as its request names them. */
export type ExportedUsers = Pick<
  BodyInput<Endpoints['createExport']>,
  'ids' | 'filter' | 'tz' | 'segment' | 'sort'
>

/** Thrown if a text search finds more users than a request may name. */
export class FoundTooMany extends Error {}

/** Whether users who were sorted in the list can be in that order in the file. */
export const isSortable = ({ search }: UserSource, count: number | undefined) =>
  search?.sort !== undefined && count !== undefined && count <= maxSortedUsers

/**
 * Returns the users of a source as a request names them, in the order of the list as far as `isSorted`. The service
 * cannot search by text, so these are named by id.
 */
export async function selectionOf(source: UserSource, isSorted: boolean): Promise<ExportedUsers> {
  const { ids, search, segment = '' } = source
  if (ids) return { ids: [...ids] }
  if (search?.q !== undefined) {
    const found: string[] = []
    for await (const { users } of userPages(source)) {
      found.push(...users.map(({ id }) => id))
      if (found.length > maxBatchIds) throw new FoundTooMany()
    }
    return { ids: found }
  }
  if (!search && segment !== '') return { segment }
  return { ...buildFilter(source), ...(isSorted && { sort: search?.sort }) }
}

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
  const filter = only && filters.length === 1 ? only : { all: filters }
  return { filter, ...(search?.tz !== undefined && { tz: search.tz }) }
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
