import { v7 as uuidv7 } from 'uuid'

import type { EventType } from '#contract/index.ts'
import { keepReason } from '../events/reasons.ts'
import type { SealedGate } from '../events/sealed-gate.ts'
import { eventInsert } from '../events/storage.ts'
import type { Caller } from '../http/auth/caller.ts'
import { type ChangeReason, requireReason } from '../http/headers/change-reason.ts'
import { dataKeyOfUser, type StoreKeys } from '../sealing/data-keys.ts'
import type { Transaction } from '../store/sql.ts'
import { type NewChangeset, sealChanges, sensitiveKeysOf } from './changes.ts'
import { changesetsInTheClear, insertChangeset, updateChanges } from './storage.ts'

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

/**
 * Records what a write changed and why, and its event, in the transaction of the write. The user's row must be locked
 * already: if the foreign key locked it after the entity's row, a deletion of the user could cause a deadlock. The data
 * key is needed only if a change is sensitive. Returns the changeset's id.
 */
export async function recordChange(
  { transaction, keys, caller: { subject: actor }, reason }: Writing,
  event: EventType,
  changeset: NewChangeset,
  dataKey?: Buffer,
): Promise<string> {
  // Writes that change nothing return before this call, so they need no reason.
  requireReason(reason)
  const { user, entity, op, changes } = changeset
  const id = uuidv7()
  if (entity && op === 'change') await sealEarlier(transaction, dataKey, user, entity.id, changes)
  const atRest = sealChanges(dataKey, { user, entity: entity?.id, changeset: id }, changes)
  const properties = { user, ...(entity && { entity: entity.id }), changeset: id, actor }
  const inserted = eventInsert(event, properties, { sensitiveKeys: sensitiveKeysOf(changes) })
  await insertChangeset(transaction, { ...changeset, id, actor }, atRest, inserted)
  if (reason.given === undefined) return id
  const key = dataKey ?? (await dataKeyOfUser(transaction, keys.keyring, user))
  await keepReason(transaction, key, { user, id, reason: reason.given })
  return id
}

/**
 * Seals earlier values of properties that have become sensitive; otherwise the history would still show them in clear.
 */
async function sealEarlier(
  transaction: Transaction,
  dataKey: Buffer | undefined,
  user: string,
  entity: string,
  changes: NewChangeset['changes'],
): Promise<void> {
  const marked = changes.filter(
    ({ op, sensitive, sensitiveBefore }) => sensitive && (op === 'add' || sensitiveBefore === false),
  )
  if (marked.length === 0) return
  const keys = new Set(marked.map(({ key }) => key))
  const earlier = await changesetsInTheClear(transaction, { user, entity, keys: [...keys] })
  if (earlier.length === 0) return
  const sealed = earlier.map(({ id, changes }) => ({
    id,
    changes: sealChanges(dataKey, { user, entity, changeset: id }, changes, keys),
  }))
  await updateChanges(transaction, user, sealed)
}
