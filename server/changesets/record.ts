import { type RawBuilder, sql } from 'kysely'

import type { EventType } from '#contract/index.ts'
import { sealReason } from '../events/reasons.ts'
import type { SealedGate } from '../events/sealed-gate.ts'
import { eventsInsert, reasonsInsert } from '../events/storage.ts'
import type { Caller } from '../http/auth/caller.ts'
import { type ChangeReason, requireReason } from '../http/headers/change-reason.ts'
import type { StoreKeys } from '../sealing/data-keys.ts'
import { isDistributed } from '../store/distributed.ts'
import { newId } from '../store/new-id.ts'
import { type OnlyUsers, type Transaction, zoneless } from '../store/sql.ts'
import { type NewChangeset, sealChanges, sensitiveKeysOf } from './changes.ts'
import { changesetsInsert, changesetsInTheClear, updateChanges } from './storage.ts'

/**
 * Context of a write: its transaction, the caller's rights, the reason, the keys for sealing, and the gate that a write
 * of sealed values in clear passes.
 */
export interface Writing {
  readonly transaction: Transaction
  readonly keys: StoreKeys
  readonly caller: Caller
  readonly reason: ChangeReason
  readonly gate: SealedGate
  /** Id of the changeset that the write reverts as a whole. */
  readonly reverts?: string | undefined
  /** JSON pointer to the properties in the body; `/properties` if undefined. */
  readonly pointer?: string
  /** Time at which a consent without a date was given; now if undefined. */
  readonly saidAt?: string | undefined
  /**
   * Handling of a consent that is older than a stored one with another status: `store` if the caller has seen the
   * stored one; a function is told of each that is left out. If undefined, the write is refused.
   */
  readonly olderConsents?: 'store' | ((left: { readonly entity: string; readonly key: string }) => void)
  /** Called for each value, except null, that the write stores in clear. */
  readonly inClear?: ((found: InClear) => void) | undefined
}

export interface InClear {
  /** Type of the entity. */
  readonly entity: string
  readonly key: string
  /** How earlier properties of the key are stored; undefined if none is known. */
  readonly others: 'sensitive' | 'clear' | 'both' | undefined
}

/** Context of a write that is decided about, without the store. */
export type Planning = Omit<Writing, 'transaction' | 'keys'>

/** A changeset that is to be recorded with its event. */
export interface PlannedChange extends NewChangeset {
  readonly id: string
  readonly event: EventType
}

/**
 * Plans the record of what a write changes. A write that changes nothing is not planned, so that it needs no reason.
 */
export function planRecord(
  { reason, reverts }: Planning,
  event: EventType,
  changeset: NewChangeset,
): PlannedChange {
  requireReason(reason)
  return { ...changeset, ...(reverts !== undefined && { reverts }), id: newId(), event }
}

/** A change with its user's data key, which is needed only if the change is sensitive or has a reason. */
interface Recorded {
  readonly change: PlannedChange
  readonly dataKey: Buffer | undefined
}

/**
 * Returns the statements that record changes, their events and their reason, in the transaction of the write. The
 * users' rows must be locked already: if the foreign key locked one after the entity's row, a deletion of the user could
 * cause a deadlock.
 */
export async function recordStatements(
  { transaction, caller: { subject: actor, job }, reason }: Writing,
  recorded: readonly Recorded[],
  only?: OnlyUsers,
): Promise<RawBuilder<unknown>[]> {
  await sealEarlier(transaction, recorded)
  const rows = recorded.map(({ change, dataKey }) => {
    const { event: _, ...changeset } = change
    const { user, id, entity, changes } = changeset
    const place = { user, entity: entity?.id, changeset: id }
    return { ...changeset, actor, changes: sealChanges(dataKey, place, changes) }
  })
  const events = eventsInsert(
    recorded.map(({ change: { event: type, user, id, entity, changes } }) => {
      const properties = {
        user,
        ...(entity && { entity: entity.id }),
        changeset: id,
        actor,
        ...(job !== undefined && { job }),
      }
      const keys = sensitiveKeysOf(changes)
      return { id: newId(), type, properties, keys: keys.length === 0 ? undefined : keys }
    }),
    only,
  )
  const { given } = reason
  const reasons =
    given === undefined
      ? []
      : recorded.map(({ change: { user, id }, dataKey }) => sealReason(dataKey, { user, id, reason: given }))
  const later = reasons.length > 0 ? [reasonsInsert(reasons, only)] : []
  // Changesets and events share one time: that of their statement.
  if (!isDistributed(transaction)) return [events, changesetsInsert(rows, { only }), ...later]
  const { rows: times } = await sql<{
    time: string
  }>`${events} returning ${zoneless(sql`eventtime`)} as time`.execute(transaction)
  return [changesetsInsert(rows, { time: sql`${times[0]?.time}::timestamp` }), ...later]
}

/**
 * Seals earlier values of properties that have become sensitive; otherwise the history would still show them in clear.
 */
async function sealEarlier(transaction: Transaction, recorded: readonly Recorded[]): Promise<void> {
  const marked = recorded.flatMap(({ change: { user, entity, op, changes }, dataKey }) => {
    const keys = changes.flatMap(({ key, op: did, sensitive, sensitiveBefore }) =>
      sensitive && (did === 'add' || sensitiveBefore === false) ? [key] : [],
    )
    return entity && op === 'change' && keys.length > 0
      ? [{ user, entity: entity.id, dataKey, keys: new Set(keys) }]
      : []
  })
  if (marked.length === 0) return
  const earlier = await changesetsInTheClear(transaction, {
    users: marked.map(({ user }) => user),
    entities: marked.map(({ entity }) => entity),
    keys: [...new Set(marked.flatMap(({ keys }) => [...keys]))],
  })
  if (earlier.length === 0) return
  const markedOf = new Map(marked.map((each) => [each.entity, each]))
  const sealed = earlier.map(({ id, user, entity, changes }) => {
    const { dataKey, keys } = markedOf.get(entity) ?? {}
    return { id, user, entity, changes: sealChanges(dataKey, { user, entity, changeset: id }, changes, keys) }
  })
  await updateChanges(transaction, sealed)
}
