import type { Transaction } from 'kysely'
import { validate as isUuid } from 'uuid'

import { entityType } from '#contract/index.ts'
import type { Caller } from '../caller.ts'
import type { Database, Tables } from '../database.ts'
import { entityTag, sealedVersion } from '../etag.ts'
import { recordEvent } from '../events/storage.ts'
import { invalid, notFound } from '../problem.ts'
import type { Secrets } from '../secrets.ts'
import type { Handlers } from '../serve.ts'
import { lockUser } from '../users/storage.ts'
import { knownKeys } from './keys.ts'
import { answeredProperties } from './properties.ts'
import { openRow } from './sealing.ts'
import {
  entitiesOf,
  type EntityBatch,
  entityById,
  entityOwner,
  type EntityRow,
  lockEntity,
} from './storage.ts'
import { addEntity, removeEntity, writeEntity } from './write.ts'

/** Of a list of entities, read and answered at a time: one entity more at the most, however many there are. */
const batchBytes = 256 * 1024

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
  const { keys } = database
  const etagOf = ({ id, type, properties, sealed }: EntityRow) =>
    entityTag(secrets.etag, [id, type, properties, sealed])
  const answered = (row: EntityRow, properties: ReturnType<typeof answeredProperties>) => ({
    id: row.id,
    type: row.type,
    created: row.created,
    properties,
  })
  const masked = (row: EntityRow) =>
    answered(
      row,
      answeredProperties(row.properties, (key) => sealedVersion(secrets.etag, String(row.sealed[key]))),
    )
  const withValues = (row: EntityRow) => answered(row, answeredProperties(openRow(keys.keyring, row)))
  return {
    async listEntities({ params: { user_id: user }, query, caller }) {
      const shown = maySee(caller, query) ? withValues : masked
      const next = (after?: string) => entitiesOf(database.sql, user, { after, bytes: batchBytes })
      const first = isUuid(user) ? await next() : undefined
      if (!first) throw notFound('user')
      if (!first.more) return { status: 200, body: first.rows.map(shown) }
      return { status: 200, list: inBatches(first, next, (rows) => rows.map(shown)) }
    },

    async createEntity({ params: { user_id: user }, body, caller, baseUrl, write }) {
      if (!isUuid(user)) throw notFound('user')
      return await write(async (transaction) => {
        if (!(await lockUser(transaction, user))) throw notFound('user')
        const owner = await entityOwner(transaction, user.toLowerCase())
        const id = await addEntity({ transaction, keys, caller }, owner, body.type, body.properties)
        return { status: 201, location: `${baseUrl}/user/${user}/entities/${id}` }
      })
    },

    async getEntity({ params: { user_id: user, entity_id: id }, query, caller }) {
      const row = isUuid(user) && isUuid(id) ? await entityById(database.sql, user, id) : undefined
      if (!row) throw notFound('entity')
      const body = maySee(caller, query) ? withValues(row) : masked(row)
      return { status: 200, body, etag: etagOf(row) }
    },

    replaceEntity: ({ params, body, caller, write, requireUnchanged }) =>
      write(async (transaction) => {
        const row = await entityToChange(transaction, params)
        requireUnchanged(() => etagOf(row))
        await writeEntity({ transaction, keys, caller }, row, body.type, body.properties, 'replace')
        return { status: 204 }
      }),

    patchEntity: ({ params, body, caller, write, requireUnchanged }) =>
      write(async (transaction) => {
        const row = await entityToChange(transaction, params)
        requireUnchanged(() => etagOf(row))
        const type = body.type ?? row.type
        await writeEntity({ transaction, keys, caller }, row, type, body.properties, 'change')
        return { status: 204 }
      }),

    deleteEntity: ({ params, caller, write, requireUnchanged }) =>
      write(async (transaction) => {
        const row = await entityToChange(transaction, params)
        requireUnchanged(() => etagOf(row))
        await removeEntity({ transaction, keys, caller }, row)
        return { status: 204 }
      }),

    async revealProperties({
      params: { user_id: user, entity_id: id },
      body: { keys: named, reason },
      caller,
    }) {
      // The event is committed before a value leaves: what cannot be recorded is not revealed.
      const properties = await database.sql.transaction().execute(async (transaction) => {
        const row = isUuid(user) && isUuid(id) ? await entityById(transaction, user, id) : undefined
        if (!row) throw notFound('entity')
        requireKeys(row, named)
        const only = <Value>(all: Readonly<Record<string, Value>>) =>
          Object.fromEntries(Object.entries(all).filter(([key]) => named.includes(key)))
        const asked = { ...row, properties: only(row.properties), sealed: only(row.sealed) }
        const properties = answeredProperties(openRow(keys.keyring, asked))
        await recordEvent(transaction, 'SENSITIVE_DATA_ACCESSED', {
          user: row.user,
          entity: row.id,
          actor: caller.subject,
          reason,
          keys: JSON.stringify(properties.map(({ key }) => key)),
        })
        return properties
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

/**
 * A batch is read when the one before it is on its way, and no connection is held in between: whoever reads slowly keeps
 * nobody waiting. A user who is deleted meanwhile has no further entities.
 */
async function* inBatches<Answered>(
  first: EntityBatch,
  next: (after: string) => Promise<EntityBatch | undefined>,
  answer: (rows: readonly EntityRow[]) => Answered,
): AsyncGenerator<Answered> {
  for (let batch: EntityBatch | undefined = first; batch;) {
    yield answer(batch.rows)
    const last = batch.rows.at(-1)
    batch = batch.more && last ? await next(last.id) : undefined
  }
}

/** Locked until the transaction ends. */
async function entityToChange(
  transaction: Transaction<Tables>,
  { user_id: user, entity_id: id }: { user_id: string; entity_id: string },
): Promise<EntityRow> {
  const row = isUuid(user) && isUuid(id) ? await lockEntity(transaction, user, id) : undefined
  if (!row) throw notFound('entity')
  return row
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

/** Only a caller who may, and only where it was not asked to mask them. */
function maySee(caller: Caller, { sensitive }: { sensitive?: 'masked' | undefined }): boolean {
  return sensitive !== 'masked' && caller.scopes.has('sensitive:read')
}
