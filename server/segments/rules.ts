import { type Filter, type SegmentWrite } from '#contract/index.ts'
import { nameOfKey, type TestedKey } from '../events/sealed-gate.ts'
import { type Caller, requireScopes } from '../http/auth/caller.ts'
import { invalid, Refusal, type RefusalError } from '../http/errors/problem.ts'
import { pointer } from '../http/json.ts'
import type { IndexKey } from '../sealing/data-keys.ts'
import type { Handle, Transaction } from '../store/sql.ts'
import {
  type FilterFacts,
  loadFilter,
  loadFilters,
  maxInlinedTests,
  maxReferenceDepth,
  openUsable,
  reach,
  type Reference,
} from './facts.ts'
import { sealedObjection } from './operands/sealed-test.ts'
import { allDependents, type DependentRow, isKnownZone, sensitiveOf } from './storage.ts'

/** A filter that is not saved; without a time zone it uses UTC. */
export interface UnsavedFilter {
  readonly filter: Filter
  readonly tz?: string | null | undefined
}

/**
 * Reads a filter that a caller gives. Requires the scope to read what it tests, and refuses it if its time zone or its
 * references are wrong.
 * @param id Segment that the filter will be saved in; if given, the used segments are locked against deletion.
 */
export async function readGiven(
  handle: Handle,
  indexKey: IndexKey,
  { filter, tz = null }: UnsavedFilter,
  caller: Caller,
  id?: string,
): Promise<FilterFacts> {
  const facts = await loadFilter(handle, indexKey, { filter, tz }, { keep: id !== undefined })
  if (facts.testsEntities) requireScopes(caller, ['entities:read'])
  await checkZone(handle, tz)
  checkReferences(facts, id)
  return facts
}

/**
 * Validates a segment and returns it in its stored form. Requires the scopes to read what the filter tests: a
 * caller who chooses the tests can infer values from the members.
 */
export async function readSegment(
  transaction: Transaction,
  indexKey: IndexKey,
  id: string,
  { name, description, filter, tz }: SegmentWrite,
  caller: Caller,
) {
  const facts = await readGiven(transaction, indexKey, { filter, tz }, caller, id)
  // No access is recorded here: saving reveals nothing, and `SealedGate` records the reads of the members.
  const sealed = await sensitiveOf(transaction, facts.keys)
  if (sealed.length > 0) requireScopes(caller, ['sensitive:read'])
  refuseUnanswerable(facts, sealed)
  return { name, description: description ?? null, filter, tz: tz ?? null }
}

async function checkZone(handle: Handle, tz: string | null | undefined) {
  if (tz && !(await isKnownZone(handle, tz)))
    throw invalid([
      { pointer: '/tz', code: 'unknown_zone', detail: 'The database does not know this time zone.' },
    ])
}

/** Refuses the change of a segment if segments that use it would become too large to evaluate. */
export async function refuseTooLargeUsers(
  transaction: Transaction,
  indexKey: IndexKey,
  id: string,
): Promise<void> {
  const dependents = openUsable(indexKey, await allDependents(transaction, id))
  for (const [{ name }, { extent }] of await loadFilters(transaction, indexKey, dependents))
    if (isTooLarge(extent))
      throw invalid([
        {
          pointer: '/filter',
          code: 'too_large',
          detail: `The segment “${name}” uses this one and would have too many tests: at most ${maxInlinedTests}, through ${maxReferenceDepth} segments in a row.`,
        },
      ])
}

/** Refuses references to missing segments or back to the segment `id`, and filters that they make too large. */
function checkReferences(facts: FilterFacts, id?: string): void {
  const { references, used } = facts
  const leadsBack = (reference: Reference) =>
    [...reach([reference], used).values()].some(({ tree }) => tree.references.some((each) => each.id === id))
  const errors = references.flatMap((reference): RefusalError[] => {
    const { id: named, path } = reference
    const place = pointer(['filter', ...path])
    if (named === id) return [{ pointer: place, code: 'cycle', detail: 'A segment cannot use itself.' }]
    if (!used.has(named))
      return [{ pointer: place, code: 'segment_not_found', detail: 'There is no segment with this id.' }]
    if (leadsBack(reference))
      return [
        {
          pointer: place,
          code: 'cycle',
          detail: 'This segment already uses the segment that would contain it.',
        },
      ]
    return []
  })
  if (errors.length > 0) throw invalid(errors)
  const { extent } = facts
  if (isTooLarge(extent))
    throw invalid([
      {
        pointer: '/filter',
        code: 'too_large',
        detail: `With the segments that it uses this filter has ${extent.tests} tests, through ${extent.depth} segments in a row; at most ${maxInlinedTests} and ${maxReferenceDepth}.`,
      },
    ])
}

function isTooLarge({ tests, depth }: FilterFacts['extent']): boolean {
  return tests > maxInlinedTests || depth > maxReferenceDepth
}

/**
 * Refuses tests of sensitive properties that no sealed value can pass, since they would silently exclude the very users
 * they are about.
 */
export function refuseUnanswerable({ tests, tz }: FilterFacts, sealed: readonly TestedKey[]): void {
  const clock = { now: new Date(), tz: tz ?? 'UTC' }
  const names = new Set(sealed.map(nameOfKey))
  const refused = tests.flatMap(({ entity: type, test, path }): RefusalError[] => {
    const objection = names.has(nameOfKey({ type, key: test.key })) && sealedObjection(test, clock)
    if (!objection) return []
    const { member, detail } = objection
    return [{ pointer: pointer(['filter', ...path, member]), code: 'sensitive_property', detail }]
  })
  if (refused.length > 0) throw invalid(refused)
}

/** Number of dependents that the refusal names; `GET /segments/{segment_id}/dependents` lists more. */
const maxNamed = 20

export function inUse(dependents: readonly DependentRow[], caller: Caller): Refusal {
  const mayRead = caller.scopes.has('segments:read')
  const named = dependents.slice(0, maxNamed)
  const more = dependents.length - named.length
  const names = `${named.map(({ name }) => `“${name}”`).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const detail = mayRead ? `These segments use it: ${names}.` : `Segments that use it: ${dependents.length}.`
  return new Refusal('segment_in_use', `${detail} Delete them first. Nothing was changed.`, {
    members: mayRead ? { dependents: named } : {},
  })
}
