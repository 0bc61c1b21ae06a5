import { entityType } from '#contract/index.ts'
import { checkSealed } from '../entities/check.ts'
import { toProperties } from '../entities/properties.ts'
import { readKnownKeys } from '../entities/property-keys.ts'
import { restoreDeleted } from '../entities/revert.ts'
import { openRow } from '../entities/sealing.ts'
import {
  entitiesOf,
  entityById,
  entityOwner,
  type EntityRow,
  lockEntity,
  findSealedKeys,
} from '../entities/storage.ts'
import { tagOfEntity } from '../entities/tag.ts'
import { addEntity, removeEntity, writeEntity } from '../entities/write.ts'
import { keepReasons } from '../events/reasons.ts'
import { type Access, insertAct, revealFor } from '../events/sealed-gate.ts'
import type { Caller } from '../http/auth/caller.ts'
import { invalid, notFound, type RefusalError } from '../http/errors/problem.ts'
import type { Handlers } from '../http/handler.ts'
import { versionOfSealed } from '../http/headers/etag.ts'
import { inParts } from '../http/list-parts.ts'
import { dataKeyOf } from '../sealing/data-keys.ts'
import type { Transaction } from '../store/sql.ts'
import { keepUser, lockUser } from '../users/storage.ts'
import { warnInClear } from './in-clear.ts'
import type { Needs } from './needs.ts'

/** Size of the batches in which a list of entities is read and sent. A batch exceeds it by at most its last entity. */
const batchBytes = 256 * 1024

export function entityHandlers({
  database,
  gate,
  ...needs
}: Needs): Handlers<
  | 'listEntities'
  | 'createEntity'
  | 'getEntity'
  | 'replaceEntity'
  | 'patchEntity'
  | 'deleteEntity'
  | 'revealProperties'
  | 'beginAccess'
  | 'checkValue'
  | 'restoreEntity'
  | 'listKeys'
> {
  const { keys } = database
  const { secrets } = keys
  const inClear = warnInClear(needs)
  const etagOf = (row: EntityRow) => tagOfEntity(secrets.etag, row)
  const toAnswer = (row: EntityRow, properties: ReturnType<typeof toProperties>) => ({
    id: row.id,
    type: row.type,
    created: row.created,
    properties,
  })
  /** Without additions nobody can say which state they have read, so the last write wins as documented. */
  const storesOlder = (isSeen: boolean) =>
    isSeen || !needs.additions ? ({ olderConsents: 'store' } as const) : undefined
  const maskEntity = (row: EntityRow) =>
    toAnswer(
      row,
      toProperties(row.properties, (key) => versionOfSealed(secrets.etag, String(row.sealed[key]))),
    )
  /**
   * Returns entities as the caller may see them. If sealed values are among them, the access has been recorded before
   * this resolves.
   */
  async function showEntities(
    rows: readonly EntityRow[],
    caller: Caller,
    query: { sensitive?: 'masked' | undefined },
  ) {
    if (!gate.shows(caller, query)) return rows.map(maskEntity)
    const open = rows.map((row) => toAnswer(row, toProperties(openRow(keys.keyring, row))))
    await gate.recordAccesses(database.sql, caller, rows.map(accessTo))
    return open
  }
  return {
    async listEntities({ params: { user_id: user }, query, caller }) {
      const answer = await inParts(async (after) => {
        const batch = await entitiesOf(database.sql, user, { after, bytes: batchBytes })
        return batch && { entries: await showEntities(batch.rows, caller, query), next: batch.next }
      })
      if (!answer) throw notFound('user')
      return answer
    },

    async createEntity({ params: { user_id: user }, body, caller, reason, baseUrl, write, warn }) {
      return await write(async (transaction) => {
        if (!(await lockUser(transaction, user))) throw notFound('user')
        const owner = await entityOwner(transaction, user, body.type)
        const writing = { transaction, keys, caller, reason, gate, inClear: inClear(warn) }
        const id = await addEntity(writing, owner, body.properties)
        return { status: 201, location: `${baseUrl}/user/${user}/entities/${id}` }
      })
    },

    async getEntity({ params: { user_id: user, entity_id: id }, query, caller }) {
      const row = await entityById(database.sql, user, id)
      if (!row) throw notFound('entity')
      const [body] = await showEntities([row], caller, query)
      if (!body) throw notFound('entity')
      return { status: 200, body, etag: etagOf(row) }
    },

    replaceEntity: ({ params, body, caller, reason, write, requireUnchanged, warn }) =>
      write(async (transaction) => {
        const row = await entityToChange(transaction, params)
        const olderConsents = storesOlder(requireUnchanged(() => etagOf(row)))
        const writing = { transaction, keys, caller, reason, gate, inClear: inClear(warn), ...olderConsents }
        await writeEntity(writing, row, body.type, body.properties, 'replace')
        return { status: 204 }
      }),

    patchEntity: ({ params, body, caller, reason, write, requireUnchanged, warn }) =>
      write(async (transaction) => {
        const row = await entityToChange(transaction, params)
        const olderConsents = storesOlder(requireUnchanged(() => etagOf(row)))
        const type = body.type ?? row.type
        const writing = { transaction, keys, caller, reason, gate, inClear: inClear(warn), ...olderConsents }
        await writeEntity(writing, row, type, body.properties, 'change')
        return { status: 204 }
      }),

    deleteEntity: ({ params, caller, reason, write, requireUnchanged }) =>
      write(async (transaction) => {
        const row = await entityToChange(transaction, params)
        requireUnchanged(() => etagOf(row))
        await removeEntity({ transaction, keys, caller, reason, gate }, row)
        return { status: 204 }
      }),

    async revealProperties({
      params: { user_id: user, entity_id: id },
      body: { keys: named, reason, access: act },
      caller,
    }) {
      const properties = await revealFor(database, { caller, reason, access: act }, async (transaction) => {
        const row = (await keepUser(transaction, user)) ? await entityById(transaction, user, id) : undefined
        if (!row) throw notFound('entity')
        requireKeys(row, named)
        const only = <Value>(all: Readonly<Record<string, Value>>) =>
          Object.fromEntries(Object.entries(all).filter(([key]) => named.includes(key)))
        const partial = { ...row, properties: only(row.properties), sealed: only(row.sealed) }
        const shown = toProperties(openRow(keys.keyring, partial))
        return { access: { user: row.user, entity: row.id, keys: shown.map(({ key }) => key) }, shown }
      })
      return { status: 200, body: { properties } }
    },

    async beginAccess({ params: { user_id: user }, body: { reason }, caller }) {
      const [access] = await database.sql.transaction().execute(async (transaction) => {
        if (!(await keepUser(transaction, user))) throw notFound('user')
        const sealed = await findSealedKeys(transaction, user)
        const [first] = sealed
        const row = first && (await entityById(transaction, user, first.entity))
        if (!row) return []
        const events = await insertAct(transaction, caller, sealed)
        const dataKey = await dataKeyOf(transaction, keys.keyring, row)
        const given = events.map((id) => ({ user: row.user, id, reason }))
        await keepReasons(transaction, given, () => dataKey)
        return events
      })
      return { status: 200, body: access === undefined ? {} : { access } }
    },

    async checkValue({ params: { user_id: user }, body, caller }) {
      // The event is committed before the answer leaves, as for a reveal.
      const matches = await database.sql.transaction().execute(async (transaction) => {
        if (!(await keepUser(transaction, user))) throw notFound('user')
        return await checkSealed({ transaction, keys, caller }, user, body)
      })
      return { status: 200, body: { matches } }
    },

    restoreEntity: ({ params: { user_id: user, entity_id: id }, caller, reason, write, warn }) =>
      write(async (transaction) => {
        if (!(await lockUser(transaction, user))) throw notFound('user')
        await restoreDeleted({ transaction, keys, caller, reason, gate, inClear: inClear(warn) }, user, id)
        return { status: 204 }
      }),

    async listKeys({ query }) {
      const { entity } = query
      if (entity !== undefined && !entityType.safeParse(entity).success) return { status: 200, body: [] }
      return { status: 200, body: await readKnownKeys(database.sql, entity) }
    },
  }
}

/** Returns the entity, locked until the transaction ends. */
async function entityToChange(
  transaction: Transaction,
  { user_id: user, entity_id: id }: { user_id: string; entity_id: string },
): Promise<EntityRow> {
  const row = await lockEntity(transaction, user, id)
  if (!row) throw notFound('entity')
  return row
}

function requireKeys({ properties }: EntityRow, keys: readonly string[]): void {
  const errors = keys.flatMap((key, index): RefusalError[] =>
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

/** Returns the access to record when all sealed properties of an entity are read. */
const accessTo = ({ user, id, properties, sealed }: EntityRow): Access => ({
  user,
  entity: id,
  keys: Object.entries(properties)
    .filter(([key]) => Object.hasOwn(sealed, key))
    .sort(([, a], [, b]) => a.at - b.at)
    .map(([key]) => key),
})
