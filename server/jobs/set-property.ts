import { sql } from 'kysely'

import type { BatchProperty } from '#contract/index.ts'
import type { Writing } from '../changesets/record.ts'
import { keyIn } from '../entities/properties.ts'
import type { EntityRow } from '../entities/storage.ts'
import { entityOwner, lockOldestOfType } from '../entities/storage.ts'
import { addEntity, writeEntity } from '../entities/write.ts'
import { entityTag } from '../http/headers/etag.ts'
import { lockUser } from '../users/storage.ts'
import { toRefusedWrite } from './refused.ts'
import type { NextUser, UserOutcome } from './storage.ts'
import type { JobProperty, SetTask } from './task.ts'
import type { Turn } from './turn.ts'

export function setTaskOf({ claim, typed, database, failed }: Turn): SetTask {
  const set = { ...(claim.asked as JobProperty), value: typed.value }
  return { set, dryRun: claim.dry_run, secret: database.keys.secrets.etag, failed }
}

/**
 * Sets the property on one user by the rules of a request from the caller. A refused write or a dry run is rolled
 * back. Throws if the store is in trouble, so that the user is tried again.
 */
export async function setProperty(writing: Writing, next: NextUser, task: SetTask): Promise<UserOutcome> {
  const { transaction } = writing
  const { user, seen } = next
  const { dryRun, secret } = task
  if (!(await lockUser(transaction, user))) return { outcome: 'not_found' }
  const [row, second] = await lockOldestOfType(transaction, user, task.set.entity, 2)
  if (second && task.set.which === 'only') return { outcome: 'ambiguous' }
  const set = { ...task.set, key: keyIn(new Set(Object.keys(row?.properties ?? {})), task.set.key).key }
  const now = entityTag(secret, [user, row?.id, row && ownProperty(row, set.key)])
  if (seen !== null && seen !== now) return { outcome: 'conflict', entity: row?.id }
  const undo = () => sql`rollback to savepoint before_write`.execute(transaction)
  await sql`savepoint before_write`.execute(transaction)
  try {
    const found = row ? await change(writing, row, set) : await create(writing, user, set)
    if (!dryRun) return found
    await undo()
    // The rollback removes a created entity, so its id must not be reported.
    return { outcome: found.outcome, entity: row?.id, seen: now }
  } catch (error) {
    const refused = toRefusedWrite(error, task)
    await undo()
    return { ...refused, entity: row?.id }
  }
}

async function create(writing: Writing, user: string, set: BatchProperty): Promise<UserOutcome> {
  if (!set.create || set.value === null) return { outcome: 'no_entity' }
  const owner = await entityOwner(writing.transaction, user, set.entity)
  return { outcome: 'created', entity: await addEntity(writing, owner, [inputOf(set)]) }
}

async function change(writing: Writing, row: EntityRow, set: BatchProperty): Promise<UserOutcome> {
  const entity = row.id
  const property = ownProperty(row, set.key)
  if (!property && set.value === null) return { outcome: 'unchanged', entity }
  const changeset = await writeEntity(writing, row, row.type, [inputOf(set)], 'change')
  // For a sensitive property always `changed`: `unchanged` would reveal that it already had this value.
  const isChanged = changeset !== undefined || property?.sensitive === true
  const outcome = !property ? 'added' : isChanged ? 'changed' : 'unchanged'
  return { outcome, entity, changeset }
}

const inputOf = ({ key, type, value, sensitive }: BatchProperty) => ({
  key,
  type,
  value,
  ...(sensitive && { sensitive }),
})

/** Returns the property as stored. The stored text of a sealed value differs after every write. */
function ownProperty({ properties, sealed }: EntityRow, key: string) {
  if (!Object.hasOwn(properties, key)) return undefined
  const { type, sensitive = false, value } = properties[key] ?? {}
  return { type, sensitive, value: sensitive ? sealed[key] : value }
}
