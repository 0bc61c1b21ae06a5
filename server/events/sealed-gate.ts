import type { EventType, Judged } from '#contract/index.ts'
import type { Caller } from '../http/caller.ts'
import type { Handle } from '../store/sql.ts'
import { asRefusal, type Refusal, unavailable } from '../http/problem.ts'
import { recordEvents } from './storage.ts'

/** `reveal`: every read masks sensitive values, and naming a reason is the only way to see one. */
export type SensitiveReads = 'values' | 'reveal'

/** Sensitive values of one entity that an answer is about to show. */
export interface Access {
  readonly user: string
  readonly entity: string
  /** Of the properties, in the order of the entity. */
  readonly keys: readonly string[]
}

/** Whether an answer shows sensitive values: to a caller who may read them, unless all reads are masked or this one is asked to be. */
export function showsValues(
  caller: Caller,
  { sensitive }: { readonly sensitive?: 'masked' | undefined },
  sensitiveReads: SensitiveReads = 'values',
): boolean {
  return sensitiveReads === 'values' && sensitive !== 'masked' && caller.scopes.has('sensitive:read')
}

/**
 * Commits one event for each entity whose sensitive values are about to be shown. Call it before any of them leaves: what
 * cannot be recorded is not shown (503).
 */
export async function recordAccesses(
  database: Handle,
  caller: Caller,
  accesses: readonly Access[],
): Promise<void> {
  if (accesses.every(({ keys }) => keys.length === 0)) return
  try {
    await insertAccesses(database, caller, accesses)
  } catch (error) {
    throw unrecorded(error)
  }
}

/** `recordAccesses` as a part of a transaction, whose commit is its caller's to wait for. Answers the events' ids. */
export async function insertAccesses(
  database: Handle,
  caller: Caller,
  accesses: readonly Access[],
): Promise<readonly string[]> {
  return await insertTold(database, 'SENSITIVE_DATA_ACCESSED', caller, accesses)
}

/** The same for values that were compared with one given, and not shown. */
export async function insertChecks(
  database: Handle,
  caller: Caller,
  checked: readonly Access[],
): Promise<readonly string[]> {
  return await insertTold(database, 'SENSITIVE_DATA_CHECKED', caller, checked)
}

async function insertTold(
  database: Handle,
  type: EventType,
  { subject: actor }: Caller,
  accesses: readonly Access[],
): Promise<readonly string[]> {
  const told = accesses.filter(({ keys }) => keys.length > 0)
  const properties = told.map(({ user, entity, keys }) => ({
    user,
    entity,
    actor,
    keys: JSON.stringify(keys),
  }))
  return await recordEvents(database, type, properties)
}

/** The refusal for values whose reading could not be recorded. */
export function unrecorded(error: unknown): Refusal {
  return (
    asRefusal(error) ??
    unavailable(
      'Reading sensitive values is recorded in the event log, which cannot be written right now, so none are shown. Try again, or read them masked.',
      error,
    )
  )
}

/** The sensitive properties that a judged filter tells of, by entity. */
export function accessesOf(user: string, judged: readonly Judged[]): Access[] {
  const keys = new Map<string, Set<string>>()
  const visit = (part: Judged) => {
    if ('all' in part) part.all.forEach(visit)
    else if ('any' in part) part.any.forEach(visit)
    else if ('not' in part) visit(part.not)
    else if ('is' in part && part.is) visit(part.is)
    else if ('entities' in part)
      for (const { id, where } of part.entities)
        for (const { key, masked } of where) if (masked) keys.set(id, (keys.get(id) ?? new Set()).add(key))
  }
  judged.forEach(visit)
  return Array.from(keys, ([entity, of]) => ({ user, entity, keys: [...of] }))
}
