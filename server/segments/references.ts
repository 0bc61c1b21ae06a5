import type { Filter, PropertyTest } from '#contract/index.ts'
import { distinctKeys, type TestedKey } from '../events/sealed-gate.ts'
import type { StoredFilter } from './sql/filter-sql.ts'

/** Tests of a filter with those of all segments that it uses, and how far segments may use one another. */
export const maxInlinedTests = 200
export const maxReferenceDepth = 5

/** The parts of a group; undefined for a test. */
function partsOfFilter(
  filter: Filter,
): readonly (readonly [path: readonly PropertyKey[], part: Filter])[] | undefined {
  if ('all' in filter) return filter.all.map((part, index) => [['all', index], part])
  if ('any' in filter) return filter.any.map((part, index) => [['any', index], part])
  return 'not' in filter ? [[['not'], filter.not]] : undefined
}

/** The segments that a filter names directly, each with its path in the filter. */
export function referencesOf(
  filter: Filter,
  path: readonly PropertyKey[] = [],
): readonly { readonly id: string; readonly path: readonly PropertyKey[] }[] {
  if ('segment' in filter) return [{ id: filter.segment, path: [...path, 'segment'] }]
  return (partsOfFilter(filter) ?? []).flatMap(([place, part]) => referencesOf(part, [...path, ...place]))
}

export interface Extent {
  readonly tests: number
  readonly depth: number
}

/** Size of a filter with its used segments expanded. Stops at the greatest depth that can be stored. */
export function extentOf(filter: Filter, segments: ReadonlyMap<string, StoredFilter>, level = 0): Extent {
  if ('segment' in filter) {
    const used = level > maxReferenceDepth ? undefined : segments.get(filter.segment)
    const { tests, depth } = used ? extentOf(used.filter, segments, level + 1) : { tests: 1, depth: 0 }
    return { tests, depth: depth + 1 }
  }
  const parts = partsOfFilter(filter)
  if (!parts) return { tests: 'entity' in filter ? Math.max(1, filter.where?.length ?? 0) : 1, depth: 0 }
  const extents = parts.map(([, part]) => extentOf(part, segments, level))
  return {
    tests: extents.reduce((sum, { tests }) => sum + tests, 0),
    depth: Math.max(0, ...extents.map(({ depth }) => depth)),
  }
}

/** A test with the type of the entities that it looks at, and its place in the filter. */
export interface PlacedTest {
  readonly entity: string
  readonly test: PropertyTest
  readonly path: readonly PropertyKey[]
}

/** The tests of properties in a filter itself. */
export function propertyTests(filter: Filter, path: readonly PropertyKey[] = []): readonly PlacedTest[] {
  if ('entity' in filter)
    return (filter.where ?? []).map((test, index) => ({
      entity: filter.entity,
      test,
      path: [...path, 'where', index],
    }))
  return (partsOfFilter(filter) ?? []).flatMap(([place, part]) => propertyTests(part, [...path, ...place]))
}

/** Whether a filter itself looks at entities. */
export function testsEntities(filter: Filter): boolean {
  return 'entity' in filter || (partsOfFilter(filter) ?? []).some(([, part]) => testsEntities(part))
}

/** Whether a filter itself looks at fields of users. */
export function testsUsers(filter: Filter): boolean {
  return 'user' in filter || (partsOfFilter(filter) ?? []).some(([, part]) => testsUsers(part))
}

/** Every property that a filter and the segments that it uses look at, each once. */
export function collectTestedKeys(filters: readonly Filter[]): readonly TestedKey[] {
  return distinctKeys(
    filters.flatMap((filter) =>
      propertyTests(filter).map(({ entity, test }) => ({ type: entity, key: test.key })),
    ),
  )
}
