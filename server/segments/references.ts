import type { Filter, PropertyTest } from '#contract/index.ts'
import { distinctKeys, type TestedKey } from '../events/sealed-gate.ts'
import type { StoredFilter } from './sql/filter-sql.ts'

/**
 * Limits of a filter: the number of tests including those of all used segments, and the depth to which segments may
 * use one another.
 */
export const maxInlinedTests = 200
export const maxReferenceDepth = 5

/** Returns the parts of a group, with their paths; undefined for a test or a segment. */
function partsOfFilter(
  filter: Filter,
): readonly (readonly [path: readonly PropertyKey[], part: Filter])[] | undefined {
  if ('all' in filter) return filter.all.map((part, index) => [['all', index], part])
  if ('any' in filter) return filter.any.map((part, index) => [['any', index], part])
  return 'not' in filter ? [[['not'], filter.not]] : undefined
}

/** Returns the segments that a filter names directly, each with its path in the filter. */
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

/** Returns the size of a filter with its used segments expanded. Stops beyond the maximum depth, so that cycles end. */
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

/** A property test with its entity type and its path in the filter. */
export interface PlacedTest {
  readonly entity: string
  readonly test: PropertyTest
  readonly path: readonly PropertyKey[]
}

/** Returns the property tests of a filter itself, without those of used segments. */
export function propertyTests(filter: Filter, path: readonly PropertyKey[] = []): readonly PlacedTest[] {
  if ('entity' in filter)
    return (filter.where ?? []).map((test, index) => ({
      entity: filter.entity,
      test,
      path: [...path, 'where', index],
    }))
  return (partsOfFilter(filter) ?? []).flatMap(([place, part]) => propertyTests(part, [...path, ...place]))
}

/** Whether a filter itself tests entities. */
export function testsEntities(filter: Filter): boolean {
  return 'entity' in filter || (partsOfFilter(filter) ?? []).some(([, part]) => testsEntities(part))
}

/** Whether a filter itself tests fields of users. */
export function testsUsers(filter: Filter): boolean {
  return 'user' in filter || (partsOfFilter(filter) ?? []).some(([, part]) => testsUsers(part))
}

/** Returns each property that the given filters test, without duplicates. */
export function collectTestedKeys(filters: readonly Filter[]): readonly TestedKey[] {
  return distinctKeys(
    filters.flatMap((filter) =>
      propertyTests(filter).map(({ entity, test }) => ({ type: entity, key: test.key })),
    ),
  )
}
