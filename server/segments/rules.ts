import { type Filter, type SegmentWrite } from '#contract/index.ts'
import type { TestedKey } from '../events/sealed-gate.ts'
import { type Caller, requireScopes } from '../http/auth/caller.ts'
import { pointer } from '../http/json.ts'
import { invalid, Refusal, type RefusalError } from '../http/problem.ts'
import type { Handle, Transaction } from '../store/sql.ts'
import type { StoredFilter } from './sql/filter-sql.ts'
import { isUsable, findUsedSegments } from './membership.ts'
import {
  type Extent,
  extentOf,
  maxInlinedTests,
  maxReferenceDepth,
  propertyTests,
  referencesOf,
  collectTestedKeys,
  testsEntities,
} from './references.ts'
import { openOperands } from './sealed-operands.ts'
import { sealedObjection } from './sealed-test.ts'
import { allDependents, everSensitiveOf, isKnownZone, sensitiveOf } from './storage.ts'
import type { IndexKey } from '../sealing/data-keys.ts'

/** A filter that is not saved; without a time zone it uses UTC. */
export interface UnsavedFilter {
  readonly filter: Filter
  readonly tz?: string | null | undefined
}

/**
 * Refuses a filter whose time zone or references are wrong, and returns the segments that the filter uses.
 * @param id Segment that the filter will be saved in; if given, the used segments are locked against deletion.
 */
export async function checkFilter(
  handle: Handle,
  indexKey: IndexKey,
  { filter, tz }: UnsavedFilter,
  id?: string,
): Promise<ReadonlyMap<string, StoredFilter>> {
  await checkZone(handle, tz)
  const used = await findUsedSegments(handle, indexKey, [{ filter }], { keep: id !== undefined })
  checkReferences(filter, used, id)
  return used
}

/**
 * Validates a segment and returns it in its stored form. Requires the scopes to read what the filter tests: whoever
 * chooses the tests can infer values from the members.
 */
export async function readSegment(
  transaction: Transaction,
  indexKey: IndexKey,
  id: string,
  { name, description, filter, tz }: SegmentWrite,
  caller: Caller,
) {
  if (testsEntities(filter)) requireScopes(caller, ['entities:read'])
  const used = await checkFilter(transaction, indexKey, { filter, tz }, id)
  // No access is recorded here: saving reveals nothing, and `SealedGate` records the reads of the members.
  if ((await findSealedKeys(transaction, filter, used)).length > 0) requireScopes(caller, ['sensitive:read'])
  await refuseUnanswerable(transaction, { filter, tz })
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
  const rows = await allDependents(transaction, id)
  const dependents = rows.map((row) => openOperands(indexKey, row)).filter(isUsable)
  const segments = await findUsedSegments(transaction, indexKey, dependents)
  for (const { name, filter } of dependents)
    if (isTooLarge(extentOf(filter, segments)))
      throw invalid([
        {
          pointer: '/filter',
          code: 'too_large',
          detail: `The segment “${name}” uses this one and would have too many tests: at most ${maxInlinedTests}, through ${maxReferenceDepth} segments in a row.`,
        },
      ])
}

/** Refuses references to missing segments or back to the segment `id`, and filters that they make too large. */
function checkReferences(filter: Filter, used: ReadonlyMap<string, StoredFilter>, id?: string): void {
  const leadsBack = (from: string): boolean =>
    from === id || referencesOf(used.get(from)?.filter ?? { any: [] }).some((each) => leadsBack(each.id))
  const errors = referencesOf(filter).flatMap(({ id: named, path }): RefusalError[] => {
    const place = pointer(['filter', ...path])
    if (named === id) return [{ pointer: place, code: 'cycle', detail: 'A segment cannot use itself.' }]
    if (!used.has(named))
      return [{ pointer: place, code: 'segment_not_found', detail: 'There is no segment with this id.' }]
    if (leadsBack(named))
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
  const extent = extentOf(filter, used)
  if (isTooLarge(extent))
    throw invalid([
      {
        pointer: '/filter',
        code: 'too_large',
        detail: `With the segments that it uses this filter has ${extent.tests} tests, through ${extent.depth} segments in a row; at most ${maxInlinedTests} and ${maxReferenceDepth}.`,
      },
    ])
}

function isTooLarge({ tests, depth }: Extent): boolean {
  return tests > maxInlinedTests || depth > maxReferenceDepth
}

/**
 * Returns the sensitive properties that a filter tests, directly or through segments. The members, and even their
 * number, reveal values of these properties.
 */
export async function findSealedKeys(
  handle: Handle,
  filter: Filter,
  used: ReadonlyMap<string, StoredFilter>,
): Promise<readonly TestedKey[]> {
  return await sensitiveOf(handle, keysTested(filter, used))
}

/** Whether a filter tests a property that is or ever was sensitive, even if no user has it any more. */
export async function everTestedSensitive(
  handle: Handle,
  filter: Filter,
  used: ReadonlyMap<string, StoredFilter>,
): Promise<boolean> {
  return (await everSensitiveOf(handle, keysTested(filter, used))).length > 0
}

const keysTested = (filter: Filter, used: ReadonlyMap<string, StoredFilter>) =>
  collectTestedKeys([filter, ...[...used.values()].map((segment) => segment.filter)])

/**
 * Refuses tests of sensitive properties that no sealed value can pass, since they would silently exclude the very users
 * they are about.
 */
export async function refuseUnanswerable(handle: Handle, { filter, tz }: UnsavedFilter): Promise<void> {
  const clock = { now: new Date(), tz: tz ?? 'UTC' }
  const errors = propertyTests(filter).flatMap(({ entity: type, test, path }) => {
    const objection = sealedObjection(test, clock)
    return objection ? [{ type, key: test.key, path, ...objection }] : []
  })
  const sensitive = await sensitiveOf(handle, errors)
  const refused = errors.filter((error) => sensitive.includes(error))
  if (refused.length > 0)
    throw invalid(
      refused.map(({ path, member, detail }) => ({
        pointer: pointer(['filter', ...path, member]),
        code: 'sensitive_property',
        detail,
      })),
    )
}

/** Number of dependents that the refusal names; `GET /segments/{segment_id}/dependents` lists more. */
const maxNamed = 20

export function inUse(dependents: readonly { id: string; name: string }[], caller: Caller): Refusal {
  const mayRead = caller.scopes.has('segments:read')
  const named = dependents.slice(0, maxNamed)
  const more = dependents.length - named.length
  const names = `${named.map(({ name }) => `“${name}”`).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const detail = mayRead ? `These segments use it: ${names}.` : `Segments that use it: ${dependents.length}.`
  return new Refusal('segment_in_use', `${detail} Delete them first. Nothing was changed.`, {
    members: mayRead ? { dependents: named } : {},
  })
}
