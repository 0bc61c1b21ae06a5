import type { PropertyInput } from '#contract/index.ts'
import type { Writing } from '../changesets/record.ts'
import { dataKeyOf, openDataKey } from '../sealing/data-keys.ts'
import { type OpenedRow, planAddition, planRemoval, planWrite } from './plan.ts'
import { hasSensitive, openProperties } from './sealing.ts'
import { entityOwner, type EntityOwner, type EntityRow, lockOldestOfType } from './storage.ts'
import { store } from './store.ts'

/** Applies a POST /users with properties to an existing user. Needs the user's lock. */
export async function applyToFirstPerson(
  writing: Writing,
  user: string,
  properties: readonly PropertyInput[],
): Promise<void> {
  const [row] = await lockOldestOfType(writing.transaction, user, 'person', 1)
  if (row) await writeEntity(writing, row, row.type, properties, 'change')
  else await addEntity(writing, await entityOwner(writing.transaction, user, 'person'), properties)
}

/**
 * Adds an entity and returns its id. Needs the user's lock, taken before the owner's entities were counted, so that the
 * first person entity is created only once.
 */
export async function addEntity(
  writing: Writing,
  owner: EntityOwner,
  given: readonly PropertyInput[],
): Promise<string> {
  const plan = planAddition(writing, owner, given)
  await store(writing, [plan])
  return plan.entity.id
}

/** Writes an entity. Returns the id of the changeset; undefined if nothing changed. */
export async function writeEntity(
  writing: Writing,
  row: EntityRow,
  type: string,
  given: readonly PropertyInput[],
  mode: 'change' | 'replace',
): Promise<string | undefined> {
  const plan = planWrite(writing, await openForWriting(writing, row), type, given, mode)
  if (plan) await store(writing, [plan])
  return plan?.changes[0]?.id
}

export async function removeEntity(writing: Writing, row: EntityRow): Promise<void> {
  await store(writing, [planRemoval(writing, await openForWriting(writing, row))])
}

/** Like `openForWriting`, without making a key: for rows whose sealed values were stored with one. */
export function openLocked({ keys }: Pick<Writing, 'keys'>, row: EntityRow): OpenedRow {
  const dataKey = hasSensitive(row.properties) ? openDataKey(keys.keyring, row) : undefined
  return { row, opened: openProperties(dataKey, row), dataKey }
}

/** Opens a row that is to be written. */
export async function openForWriting({ transaction, keys }: Writing, row: EntityRow): Promise<OpenedRow> {
  const dataKey = hasSensitive(row.properties) ? await dataKeyOf(transaction, keys.keyring, row) : undefined
  return { row, opened: openProperties(dataKey, row), dataKey }
}
