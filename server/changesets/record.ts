import { v7 as uuidv7 } from 'uuid'

import type { EventType } from '#contract/index.ts'
import { eventInsert } from '../events/storage.ts'
import type { Transaction } from '../store/sql.ts'
import { type NewChangeset, sealChanges } from './changes.ts'
import { changesetsInTheClear, insertChangeset, updateChanges } from './storage.ts'

/**
 * Notes what a write changed, and the event that tells of it, in the transaction of the write. The user's row is locked
 * by then: locked by the foreign key, after the entity's, it would be in the way of who deletes the user. The data key
 * is needed only where a change is sensitive.
 */
export async function recordChange(
  transaction: Transaction,
  event: EventType,
  changeset: NewChangeset,
  dataKey?: Buffer,
): Promise<void> {
  const { user, entity, op, actor, changes } = changeset
  const id = uuidv7()
  if (entity && op === 'change') await sealEarlier(transaction, dataKey, user, entity.id, changes)
  const atRest = sealChanges(dataKey, { user, entity: entity?.id, changeset: id }, changes)
  const properties = { user, ...(entity && { entity: entity.id }), changeset: id, actor }
  await insertChangeset(transaction, { ...changeset, id }, atRest, eventInsert(event, properties))
}

/** What was recorded of a property before it became sensitive is no less of a secret now. */
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
