import type { KeyObject } from 'node:crypto'

import { sql } from 'kysely'

import type { BatchProperty } from '#contract/index.ts'
import type { EntityRow } from '../entities/storage.ts'
import { entityOwner, lockOldestOfType } from '../entities/storage.ts'
import { keyIn } from '../entities/properties.ts'
import { addEntity, writeEntity } from '../entities/write.ts'
import type { Writing } from '../changesets/record.ts'
import { entityTag } from '../http/headers/etag.ts'
import { asRefusal, missingKeyCode } from '../http/problem.ts'
import { lockUser } from '../users/storage.ts'
import type { UserOutcome, WaitingUser } from './storage.ts'

interface Task {
  readonly set: BatchProperty
  readonly dryRun: boolean
  /** Key of the digests of the state that a dry run found. */
  readonly secret: KeyObject
  /** Told of what is a bug of ours. */
  readonly failed: (error: unknown) => void
}

/**
 * Sets the property on one user as a request of the caller would, with all its rules. Refused or only tried, nothing of it
 * stays. Throws where the store is in trouble: then it is to be done again.
 */
export async function setProperty(writing: Writing, waiting: WaitingUser, task: Task): Promise<UserOutcome> {
  const { transaction } = writing
  const { user, seen } = waiting
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
    const refused = toRefusedOutcome(error, task)
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
  // Whether a sensitive value was that one already would tell it.
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

/** Property as the row has it. A sealed value has a different text after every write. */
function ownProperty({ properties, sealed }: EntityRow, key: string) {
  if (!Object.hasOwn(properties, key)) return undefined
  const { type, sensitive = false, value } = properties[key] ?? {}
  return { type, sensitive, value: sensitive ? sealed[key] : value }
}

/** What a refusal of this one user is reported as. Throws what is no matter of this user. */
function toRefusedOutcome(error: unknown, { failed }: Task): UserOutcome {
  if ((error as { code?: unknown }).code === missingKeyCode)
    return {
      outcome: 'refused',
      code: 'unavailable',
      detail: 'A key of this user is missing from the settings of the service.',
    }
  const refusal = asRefusal(error)
  if (!refusal) {
    failed(error)
    return { outcome: 'refused', code: 'internal', detail: 'Something went wrong in the service.' }
  }
  if (refusal.status >= 500) throw error
  const [first] = refusal.errors
  return { outcome: 'refused', code: first?.code ?? refusal.code, detail: first?.detail ?? refusal.message }
}
