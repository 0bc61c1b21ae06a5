import type { Transaction } from 'kysely'
import { v7 as uuidv7, validate as isUuid } from 'uuid'

import { maxEntitiesPerUser, type PropertyInput } from '#contract/index.ts'
import type { Caller } from '../caller.ts'
import type { Database, Tables } from '../database.ts'
import { recordEvent } from '../events/storage.ts'
import { insufficientScope, invalid, notFound, Refusal } from '../problem.ts'
import type { Handlers } from '../serve.ts'
import { lockUser } from '../users/storage.ts'
import { answeredProperties, type Merged, mergeProperties } from './properties.ts'
import {
  countEntities,
  deleteEntity,
  entitiesOf,
  entityById,
  type EntityRow,
  insertEntity,
  lockEntity,
  lockFirstOfType,
  targetExists,
  updateEntity,
} from './storage.ts'

export function entityRoutes({
  database,
}: {
  readonly database: Database
}): Handlers<
  'listEntities' | 'createEntity' | 'getEntity' | 'replaceEntity' | 'patchEntity' | 'deleteEntity'
> {
  return {
    async listEntities({ params: { user_id: user }, caller }) {
      const rows = isUuid(user) ? await entitiesOf(database.sql, user) : undefined
      if (!rows) throw notFound('user')
      return { status: 200, body: rows.map((row) => answered(row, caller)) }
    },

    async createEntity({ params: { user_id: user }, body, caller, baseUrl }) {
      if (!isUuid(user)) throw notFound('user')
      const id = await database.sql.transaction().execute(async (transaction) => {
        if (!(await lockUser(transaction, user))) throw notFound('user')
        return await addEntity(transaction, user, body.type, body.properties, caller, uuidv7())
      })
      return { status: 201, location: `${baseUrl}/user/${user}/entities/${id}` }
    },

    async getEntity({ params: { user_id: user, entity_id: id }, caller }) {
      const row = isUuid(user) && isUuid(id) ? await entityById(database.sql, user, id) : undefined
      if (!row) throw notFound('entity')
      return { status: 200, body: answered(row, caller) }
    },

    async replaceEntity({ params: { user_id: user, entity_id: id }, body, caller }) {
      await changeEntity(database, user, id, (transaction, row) =>
        writeEntity(transaction, user, row, body.type, body.properties, 'replace', caller, uuidv7()),
      )
      return { status: 204 }
    },

    async patchEntity({ params: { user_id: user, entity_id: id }, body, caller }) {
      await changeEntity(database, user, id, (transaction, row) =>
        writeEntity(
          transaction,
          user,
          row,
          body.type ?? row.type,
          body.properties,
          'change',
          caller,
          uuidv7(),
        ),
      )
      return { status: 204 }
    },

    async deleteEntity({ params: { user_id: user, entity_id: id }, caller }) {
      await changeEntity(database, user, id, async (transaction, row) => {
        if (
          Object.values(row.properties).some(({ sensitive }) => sensitive) &&
          !caller.scopes.has('sensitive:write')
        )
          throw insufficientScope(['sensitive:write'])
        await deleteEntity(transaction, user, id)
        await recordEvent(transaction, 'DIRECT_DATA_CHANGE', { user, entity: id, changeset: uuidv7() })
      })
      return { status: 204 }
    },
  }
}

/** The effect of POST /users with properties. The caller of this holds the user's lock, or has just made the user. */
export async function applyToFirstPerson(
  transaction: Transaction<Tables>,
  user: string,
  properties: readonly PropertyInput[],
  caller: Caller,
  changeset: string,
): Promise<void> {
  const row = await lockFirstOfType(transaction, user, 'person')
  if (row) await writeEntity(transaction, user, row, row.type, properties, 'change', caller, changeset)
  else await addEntity(transaction, user, 'person', properties, caller, changeset)
}

async function changeEntity(
  database: Database,
  user: string,
  id: string,
  change: (transaction: Transaction<Tables>, row: EntityRow) => Promise<void>,
): Promise<void> {
  if (!isUuid(user) || !isUuid(id)) throw notFound('entity')
  await database.sql.transaction().execute(async (transaction) => {
    const row = await lockEntity(transaction, user, id)
    if (!row) throw notFound('entity')
    await change(transaction, row)
  })
}

/** Needs the user's lock: the limit is counted, and the first person entity is made once. */
async function addEntity(
  transaction: Transaction<Tables>,
  user: string,
  type: string,
  given: readonly PropertyInput[],
  caller: Caller,
  changeset: string,
): Promise<string> {
  if ((await countEntities(transaction, user)) >= maxEntitiesPerUser)
    throw new Refusal(422, 'too_many_entities', `A user owns at most ${maxEntitiesPerUser} entities.`)
  const merged = mergeProperties({}, given, 'replace', caller)
  await checkRelationships(transaction, merged)
  const id = uuidv7()
  await insertEntity(transaction, user, { id, type, properties: merged.properties })
  await recordEvent(transaction, 'DIRECT_DATA_CHANGE', { user, entity: id, changeset })
  return id
}

async function writeEntity(
  transaction: Transaction<Tables>,
  user: string,
  row: EntityRow,
  type: string,
  given: readonly PropertyInput[],
  mode: 'change' | 'replace',
  caller: Caller,
  changeset: string,
): Promise<void> {
  const merged = mergeProperties(row.properties, given, mode, caller)
  if (!merged.changed && type === row.type) return
  await checkRelationships(transaction, merged)
  await updateEntity(transaction, user, { id: row.id, type, properties: merged.properties })
  await recordEvent(transaction, 'DIRECT_DATA_CHANGE', { user, entity: row.id, changeset })
}

async function checkRelationships(
  transaction: Transaction<Tables>,
  { relationships }: Merged,
): Promise<void> {
  const errors = []
  for (const { target, pointer } of relationships)
    if (!(await targetExists(transaction, target)))
      errors.push({
        pointer,
        code: 'unknown_target',
        detail: target.entity ? 'There is no such entity of this user.' : 'There is no such user.',
      })
  if (errors.length > 0) throw invalid(errors)
}

function answered({ id, type, created, properties }: EntityRow, caller: Caller) {
  return { id, type, created, properties: answeredProperties(properties, caller) }
}
