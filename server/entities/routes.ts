import type { Transaction } from 'kysely'
import { v7 as uuidv7, validate as isUuid } from 'uuid'

import { entityType, maxEntitiesPerUser, type PropertyInput } from '#contract/index.ts'
import type { Caller } from '../caller.ts'
import { propertyChanges } from '../changesets/changes.ts'
import { recordChange } from '../changesets/storage.ts'
import type { Database, Tables } from '../database.ts'
import { entityTag } from '../etag.ts'
import { recordEvent } from '../events/storage.ts'
import { insufficientScope, invalid, notFound, Refusal } from '../problem.ts'
import type { Secrets } from '../secrets.ts'
import type { Handlers } from '../serve.ts'
import { lockUser } from '../users/storage.ts'
import { knownKeys, noteKeys } from './keys.ts'
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
  secrets,
}: {
  readonly database: Database
  readonly secrets: Secrets
}): Handlers<
  | 'listEntities'
  | 'createEntity'
  | 'getEntity'
  | 'replaceEntity'
  | 'patchEntity'
  | 'deleteEntity'
  | 'revealProperties'
  | 'listKeys'
> {
  const etagOf = ({ id, type, properties }: EntityRow) => entityTag(secrets.etag, [id, type, properties])
  return {
    async listEntities({ params: { user_id: user }, query, caller }) {
      const rows = isUuid(user) ? await entitiesOf(database.sql, user) : undefined
      if (!rows) throw notFound('user')
      return { status: 200, body: rows.map((row) => answered(row, maySee(caller, query))) }
    },

    async createEntity({ params: { user_id: user }, body, caller, baseUrl, write }) {
      if (!isUuid(user)) throw notFound('user')
      return await write(async (transaction) => {
        if (!(await lockUser(transaction, user))) throw notFound('user')
        const id = await addEntity(transaction, user.toLowerCase(), body.type, body.properties, caller)
        return { status: 201, location: `${baseUrl}/user/${user}/entities/${id}` }
      })
    },

    async getEntity({ params: { user_id: user, entity_id: id }, query, caller }) {
      const row = isUuid(user) && isUuid(id) ? await entityById(database.sql, user, id) : undefined
      if (!row) throw notFound('entity')
      return { status: 200, body: answered(row, maySee(caller, query)), etag: etagOf(row) }
    },

    replaceEntity: ({ params, body, caller, write, requireUnchanged }) =>
      write(async (transaction) => {
        const { user, row } = await entityToChange(transaction, params)
        requireUnchanged(() => etagOf(row))
        await writeEntity(transaction, user, row, body.type, body.properties, 'replace', caller)
        return { status: 204 }
      }),

    patchEntity: ({ params, body, caller, write, requireUnchanged }) =>
      write(async (transaction) => {
        const { user, row } = await entityToChange(transaction, params)
        requireUnchanged(() => etagOf(row))
        const type = body.type ?? row.type
        await writeEntity(transaction, user, row, type, body.properties, 'change', caller)
        return { status: 204 }
      }),

    deleteEntity: ({ params, caller, write, requireUnchanged }) =>
      write(async (transaction) => {
        const { user, row } = await entityToChange(transaction, params)
        requireUnchanged(() => etagOf(row))
        if (
          Object.values(row.properties).some(({ sensitive }) => sensitive) &&
          !caller.scopes.has('sensitive:write')
        )
          throw insufficientScope(['sensitive:write'])
        await deleteEntity(transaction, user, row.id)
        await recordChange(transaction, 'DIRECT_DATA_CHANGE', {
          user,
          entity: { id: row.id, type: row.type },
          op: 'remove',
          actor: caller.subject,
          changes: propertyChanges(row.properties, {}),
        })
        return { status: 204 }
      }),

    async revealProperties({ params: { user_id: user, entity_id: id }, body: { keys, reason }, caller }) {
      // The event is committed before a value leaves: what cannot be recorded is not revealed.
      const properties = await database.sql.transaction().execute(async (transaction) => {
        const row = isUuid(user) && isUuid(id) ? await entityById(transaction, user, id) : undefined
        if (!row) throw notFound('entity')
        requireKeys(row, keys)
        const named = answeredProperties(row.properties, true).filter(({ key }) => keys.includes(key))
        await recordEvent(transaction, 'SENSITIVE_DATA_ACCESSED', {
          user: user.toLowerCase(),
          entity: row.id,
          actor: caller.subject,
          reason,
          keys: JSON.stringify(named.map(({ key }) => key)),
        })
        return named
      })
      return { status: 200, body: { properties } }
    },

    async listKeys({ query }) {
      const { entity } = query
      if (entity !== undefined && !entityType.safeParse(entity).success) return { status: 200, body: [] }
      return { status: 200, body: await knownKeys(database.sql, entity) }
    },
  }
}

/** The effect of POST /users with properties. The caller of this holds the user's lock, or has just made the user. */
export async function applyToFirstPerson(
  transaction: Transaction<Tables>,
  user: string,
  properties: readonly PropertyInput[],
  caller: Caller,
): Promise<void> {
  const row = await lockFirstOfType(transaction, user, 'person')
  if (row) await writeEntity(transaction, user, row, row.type, properties, 'change', caller)
  else await addEntity(transaction, user, 'person', properties, caller)
}

/** Locked until the transaction ends. */
async function entityToChange(
  transaction: Transaction<Tables>,
  { user_id: user, entity_id: id }: { user_id: string; entity_id: string },
): Promise<{ user: string; row: EntityRow }> {
  const row = isUuid(user) && isUuid(id) ? await lockEntity(transaction, user, id) : undefined
  if (!row) throw notFound('entity')
  return { user: user.toLowerCase(), row }
}

/** Needs the user's lock: the limit is counted, and the first person entity is made once. */
async function addEntity(
  transaction: Transaction<Tables>,
  user: string,
  type: string,
  given: readonly PropertyInput[],
  caller: Caller,
): Promise<string> {
  if ((await countEntities(transaction, user)) >= maxEntitiesPerUser)
    throw new Refusal(422, 'too_many_entities', `A user owns at most ${maxEntitiesPerUser} entities.`)
  const merged = mergeProperties({}, given, 'replace', caller)
  await checkRelationships(transaction, merged)
  const id = uuidv7()
  await insertEntity(transaction, user, { id, type, properties: merged.properties })
  await recordChange(transaction, 'DIRECT_DATA_CHANGE', {
    user,
    entity: { id, type },
    op: 'add',
    actor: caller.subject,
    changes: propertyChanges({}, merged.properties),
  })
  await noteKeys(transaction, [{ type, properties: merged.properties }])
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
): Promise<void> {
  const merged = mergeProperties(row.properties, given, mode, caller)
  if (!merged.changed && type === row.type) return
  await checkRelationships(transaction, merged)
  await updateEntity(transaction, user, { id: row.id, type, properties: merged.properties })
  await recordChange(transaction, 'DIRECT_DATA_CHANGE', {
    user,
    entity: { id: row.id, type, ...(type !== row.type && { typeBefore: row.type }) },
    op: 'change',
    actor: caller.subject,
    changes: propertyChanges(row.properties, merged.properties),
  })
  await noteKeys(transaction, [{ type, properties: merged.properties }])
}

function requireKeys({ properties }: EntityRow, keys: readonly string[]): void {
  const errors = keys.flatMap((key, index) =>
    Object.hasOwn(properties, key)
      ? []
      : [
          {
            pointer: `/keys/${index}`,
            code: 'unknown_key',
            detail: 'The entity has no property with this key.',
          },
        ],
  )
  if (errors.length > 0) throw invalid(errors)
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

/** Only a caller who may, and only where it was not asked to mask them. */
function maySee(caller: Caller, { sensitive }: { sensitive?: 'masked' | undefined }): boolean {
  return sensitive !== 'masked' && caller.scopes.has('sensitive:read')
}

function answered({ id, type, created, properties }: EntityRow, withSensitive: boolean) {
  return { id, type, created, properties: answeredProperties(properties, withSensitive) }
}
