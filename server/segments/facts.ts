import { createHash } from 'node:crypto'
import { validate as isUuid } from 'uuid'

import {
  type Filter,
  filter as filterSchema,
  isTimeZone,
  type PropertyTest,
  type UserTest,
} from '#contract/index.ts'
import { canonical } from '../entities/properties.ts'
import { distinctKeys, type TestedKey } from '../events/sealed-gate.ts'
import type { IndexKey } from '../sealing/data-keys.ts'
import type { Handle } from '../store/sql.ts'
import { openOperands } from './sealed-operands.ts'
import type { StoredFilter } from './sql/filter-sql.ts'
import { filtersById } from './storage.ts'

/** A property test with its entity type and its path in the filter. */
export interface PlacedTest {
  readonly entity: string
  readonly test: PropertyTest
  readonly path: readonly PropertyKey[]
}

/** A segment that a filter names, with the path of the name in the filter. */
export interface Reference {
  readonly id: string
  readonly path: readonly PropertyKey[]
}

/** Contents of the tree of one filter, without those of used segments. */
interface Tree {
  readonly tests: readonly PlacedTest[]
  readonly references: readonly Reference[]
  /** Tests on fields of users that are not inside `any` or `not`: every user whom the filter finds passes them. */
  readonly required: readonly UserTest[]
  readonly testsEntities: boolean
  readonly testsUsers: boolean
  /** Number of tests; an entity without tests counts as one. */
  readonly size: number
}

/** A segment that filters use, with the contents of its tree. */
export interface UsedSegment extends StoredFilter {
  readonly id: string
  readonly tree: Tree
}

/** Size of a filter with its used segments expanded. */
interface Extent {
  readonly tests: number
  /** Length of the longest chain of segments that use one another. */
  readonly depth: number
}

/**
 * Facts about a filter on which the rules, the gate for sensitive values and the SQL decide. They are read once for a
 * request.
 */
export interface FilterFacts extends StoredFilter, Omit<Tree, 'size'> {
  /** Segments that determine the filter's result, directly or indirectly. */
  readonly used: ReadonlyMap<string, UsedSegment>
  /** Properties that decide whom the filter finds, tested by itself or by used segments, without duplicates. */
  readonly keys: readonly TestedKey[]
  readonly extent: Extent
  /** Name under which counts are cached. Filters that differ only in the order of members have the same one. */
  readonly name: string
}

/**
 * Limits of a filter: the number of tests including those of all used segments, and the depth to which segments may
 * use one another.
 */
export const maxInlinedTests = 200
export const maxReferenceDepth = 5

interface Loading {
  /** Whether the segments that are used cannot be deleted until the transaction ends. */
  readonly keep?: boolean
}

/** Reads a filter, and the segments that it uses from the store. */
export async function loadFilter(
  handle: Handle,
  indexKey: IndexKey,
  stored: StoredFilter,
  options?: Loading,
): Promise<FilterFacts> {
  const tree = readTree(stored.filter)
  return toFacts(stored, tree, await findUsed(handle, indexKey, [tree], options))
}

/** Like `loadFilter`, for several filters at a time. */
export async function loadFilters<Stored extends StoredFilter>(
  handle: Handle,
  indexKey: IndexKey,
  filters: readonly Stored[],
): Promise<ReadonlyMap<Stored, FilterFacts>> {
  const trees = filters.map((stored) => [stored, readTree(stored.filter)] as const)
  const known = await findUsed(
    handle,
    indexKey,
    trees.map(([, tree]) => tree),
  )
  return new Map(trees.map(([stored, tree]) => [stored, toFacts(stored, tree, known)]))
}

/** Reads a filter that uses no segments but these. */
export function readFilter(
  stored: StoredFilter,
  known: ReadonlyMap<string, UsedSegment> = new Map(),
): FilterFacts {
  return toFacts(stored, readTree(stored.filter), known)
}

/** Returns the segments that filters use, directly or through others; leaves out missing and invalid ones. */
async function findUsed(
  handle: Handle,
  indexKey: IndexKey,
  trees: readonly Tree[],
  options: Loading = {},
): Promise<ReadonlyMap<string, UsedSegment>> {
  const found = new Map<string, UsedSegment>()
  const requested = new Set<string>()
  for (let holders = trees; holders.length > 0;) {
    const named = holders.flatMap(({ references }) => references.map(({ id }) => id))
    const ids = [...new Set(named)].filter((id) => isUuid(id) && !requested.has(id))
    if (ids.length === 0) break
    for (const id of ids) requested.add(id)
    const stored = openUsable(indexKey, await filtersById(handle, ids, options))
    holders = stored.map(({ id, filter, tz }) => {
      const tree = readTree(filter)
      found.set(id, { id, filter, tz, tree })
      return tree
    })
  }
  return found
}

function toFacts(
  { filter, tz }: StoredFilter,
  { size, ...tree }: Tree,
  known: ReadonlyMap<string, UsedSegment>,
): FilterFacts {
  const used = reach(tree.references, known)
  const all = [tree, ...Array.from(used.values(), (segment) => segment.tree)]
  const keys = all.flatMap(({ tests }) => tests.map(({ entity, test }) => ({ type: entity, key: test.key })))
  return {
    filter,
    tz,
    ...tree,
    used,
    keys: distinctKeys(keys),
    // Most callers need only one of these, and a filter may hold a thousand values.
    get extent() {
      return extentOf({ size, references: tree.references }, used)
    },
    get name() {
      const parts = [filter, tz, ...Array.from(used.values(), (each) => [each.id, each.filter, each.tz])]
      return createHash('sha256').update(canonical(parts)).digest('base64')
    },
  }
}

function readTree(filter: Filter): Tree {
  const tests: PlacedTest[] = []
  const references: Reference[] = []
  const required: UserTest[] = []
  const seen = { testsEntities: false, testsUsers: false, size: 0 }
  const visit = (part: Filter, path: readonly PropertyKey[], isRequired: boolean): void => {
    if ('all' in part) part.all.forEach((each, at) => visit(each, [...path, 'all', at], isRequired))
    else if ('any' in part) part.any.forEach((each, at) => visit(each, [...path, 'any', at], false))
    else if ('not' in part) visit(part.not, [...path, 'not'], false)
    else if ('segment' in part) references.push({ id: part.segment, path: [...path, 'segment'] })
    else if ('user' in part) {
      seen.testsUsers = true
      seen.size += 1
      if (isRequired) required.push(part)
    } else if ('entity' in part) {
      const { entity, where = [] } = part
      seen.testsEntities = true
      seen.size += Math.max(1, where.length)
      where.forEach((test, at) => tests.push({ entity, test, path: [...path, 'where', at] }))
    }
  }
  visit(filter, [], true)
  return { tests, references, required, ...seen }
}

/** Returns the segments to which references lead, directly or through others, each once. */
export function reach(
  references: readonly Pick<Reference, 'id'>[],
  known: ReadonlyMap<string, UsedSegment>,
): ReadonlyMap<string, UsedSegment> {
  const found = new Map<string, UsedSegment>()
  const ids = new Set(references.map(({ id }) => id))
  // The set grows while it is read, and names each segment once, so that cycles end.
  for (const id of ids) {
    const segment = known.get(id)
    if (!segment) continue
    found.set(id, segment)
    for (const reference of segment.tree.references) ids.add(reference.id)
  }
  return found
}

/** Adds up a tree with its used segments expanded. Stops beyond the maximum depth, so that cycles end. */
function extentOf(
  { size, references }: Pick<Tree, 'size' | 'references'>,
  used: ReadonlyMap<string, UsedSegment>,
  level = 0,
): Extent {
  let [tests, depth] = [size, 0]
  for (const { id } of references) {
    const segment = level > maxReferenceDepth ? undefined : used.get(id)
    const inner = segment ? extentOf(segment.tree, used, level + 1) : { tests: 1, depth: 0 }
    tests += inner.tests
    depth = Math.max(depth, inner.depth + 1)
  }
  return { tests, depth }
}

/** Opens the operands of segments as they are stored; leaves out those without a valid filter. */
export function openUsable<Segment extends StoredFilter & { readonly id: string }>(
  indexKey: IndexKey,
  rows: readonly Segment[],
): Segment[] {
  return rows.map((row) => openOperands(indexKey, row)).filter(isUsable)
}

/** Whether a stored filter is valid. One that was not stored through our API may be anything. */
export function isUsable({ filter, tz }: StoredFilter): boolean {
  return filterSchema.safeParse(structuredClone(filter)).success && (tz === null || isTimeZone(tz))
}
