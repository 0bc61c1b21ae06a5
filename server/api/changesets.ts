import { validate as isUuid } from 'uuid'

import { maxLookedUpChanges } from '#contract/index.ts'
import { toChanges, openChanges } from '../changesets/changes.ts'
import { changesetById, type ChangesetRow, sensitiveKeys, shortChangesets } from '../changesets/storage.ts'
import { requireChanged, restoreEntity, revertChange } from '../entities/revert.ts'
import { lockEntity } from '../entities/storage.ts'
import { tagOfEntity } from '../entities/tag.ts'
import { deletionsByChangesets } from '../erasures/storage.ts'
import { openReason, reasonsOf } from '../events/reasons.ts'
import { revealFor } from '../events/sealed-gate.ts'
import { type Caller, requireScopes } from '../http/auth/caller.ts'
import { notFound, Refusal } from '../http/errors/problem.ts'
import type { Handlers } from '../http/handler.ts'
import { openDataKey, type StoreKeys } from '../sealing/data-keys.ts'
import type { Handle } from '../store/sql.ts'
import { revertFields } from '../users/revert.ts'
import { keepUser, lockUser } from '../users/storage.ts'
import { tagOfUser } from '../users/tag.ts'
import { toTakenRefusal } from '../users/write.ts'
import { warnInClear } from './in-clear.ts'
import type { Needs } from './needs.ts'

export function changesetHandlers({
  database,
  gate,
  ...needs
}: Needs): Handlers<'getChangeset' | 'lookUpChangesets' | 'revealChanges' | 'revertChangeset'> {
  const { keys } = database
  const inClear = warnInClear(needs)
  return {
    async getChangeset({ params: { changeset_id }, query, caller }) {
      const row = await changesetById(database.sql, changeset_id)
      if (!row) return { status: 200, body: await deletionOf(database.sql, changeset_id) }
      const {
        user,
        entity_id: entity,
        actor,
        time,
        op,
        entity_type,
        entity_type_before,
        reverts,
        reverted,
      } = row
      const maySee = gate.shows(caller, query)
      // Properties that were marked as sensitive later are masked too, so that their values do not stay readable in
      // the history.
      const masked =
        maySee || entity === null ? new Set<string>() : await sensitiveKeys(database.sql, user, entity)
      const place = { user, entity: entity ?? undefined, changeset: row.id }
      const secrets = row.changes.filter(({ sealed }) => sealed).map(({ key }) => key)
      const dataKey = maySee && secrets.length > 0 ? openDataKey(keys.keyring, row) : undefined
      const changes = maySee ? openChanges(dataKey, place, row.changes) : row.changes
      if (maySee && entity !== null)
        await gate.recordAccesses(database.sql, caller, [{ user, entity, keys: secrets }], {
          access: query.access,
          time,
        })
      return {
        status: 200,
        body: {
          id: row.id,
          user,
          ...(entity !== null && { entity }),
          actor,
          ...reasonFor(caller, keys, row),
          time,
          op,
          ...(reverts !== null && { reverts }),
          ...(reverted && { reverted }),
          ...(entity_type !== null && { entityType: entity_type }),
          ...(entity_type_before !== null && { entityTypeBefore: entity_type_before }),
          changes: toChanges(changes, (key) => masked.has(key)),
        },
      }
    },

    async lookUpChangesets({ body: { ids }, caller }) {
      const known = ids.filter((id) => isUuid(id)).map((id) => id.toLowerCase())
      const [kept, deletions] = await Promise.all([
        shortChangesets(database.sql, known, maxLookedUpChanges),
        deletionsByChangesets(database.sql, known),
      ])
      const gone = deletions.map(({ id }) => ({
        id,
        op: 'remove',
        entityType: null,
        reverted: false,
        total: 0,
        changes: [],
      }))
      const byId = new Map([...kept, ...gone].map((each) => [each.id, each]))
      const found = known.flatMap((id) => byId.get(id) ?? [])
      const reasons = caller.scopes.has('sensitive:read')
        ? await reasonsOf(
            database,
            found.map(({ id }) => id),
          )
        : new Map<string, string>()
      const body = found.map(({ id, op, entityType, reverted, total, changes }) => ({
        id,
        op,
        entityType: entityType ?? undefined,
        reason: reasons.get(id),
        reverted: reverted ? true : undefined,
        total,
        changes,
      }))
      return { status: 200, body }
    },

    async revealChanges({
      params: { changeset_id: id },
      body: { keys: named, reason, access: act },
      caller,
    }) {
      const row = await changesetById(database.sql, id)
      if (!row) throw notFound('changeset')
      const { user, entity_id: entity, time, changes: all } = row
      // The fields of a user are never sensitive, so there is nothing to reveal of them.
      requireChanged(entity === null ? { changes: [] } : row, named)
      const sealed = all.filter(({ key }) => named.includes(key))
      const part = { caller, reason, access: act, time }
      const changes = await revealFor(database, part, async (transaction) => {
        if (!(await keepUser(transaction, user))) throw notFound('changeset')
        const place = { user, entity: String(entity), changeset: row.id }
        const shown = openChanges(openDataKey(keys.keyring, row), place, sealed)
        return { access: { user, entity: place.entity, keys: shown.map(({ key }) => key) }, shown }
      })
      return { status: 200, body: { changes: toChanges(changes, () => false) } }
    },

    async revertChangeset({ params: { changeset_id: id }, body, caller, reason, write, ...request }) {
      const { requireUnchanged, warn } = request
      // A caller who may revert nothing does not learn which changesets there are.
      if (!caller.scopes.has('users:write')) requireScopes(caller, ['entities:write'])
      const work = write(async (transaction) => {
        const changeset = await changesetById(transaction, id)
        if (!changeset) {
          await deletionOf(transaction, id)
          throw new Refusal(
            'not_revertible',
            'The deletion of a user cannot be reverted. Nothing was changed.',
          )
        }
        const { user, entity_id: entity, op } = changeset
        const isWhole = body.keys === undefined
        requireScopes(caller, [entity === null ? 'users:write' : 'entities:write'])
        if (op === 'add' && (isWhole || entity === null)) throw notRevertible(entity)
        const writing = { transaction, keys, caller, reason, gate, inClear: inClear(warn) }
        if (entity === null) {
          const fields = await lockUser(transaction, user)
          if (!fields) throw notFound('changeset')
          const isSeen = requireUnchanged(() => tagOfUser(keys.secrets.etag, user, fields))
          await revertFields(writing, fields, changeset, { keys: body.keys, isSeen })
        } else if (op === 'remove' && isWhole) {
          if (!(await lockUser(transaction, user))) throw notFound('changeset')
          requireUnchanged(() => undefined)
          await restoreEntity(writing, changeset, entity)
        } else {
          const row = await lockEntity(transaction, user, entity)
          if (!row) throw notFound('entity')
          const isSeen = requireUnchanged(() => tagOfEntity(keys.secrets.etag, row))
          await revertChange(writing, row, { changeset, keys: body.keys, isSeen })
        }
        return { status: 204 as const }
      })
      return await work.catch((error: unknown) => {
        throw toTakenRefusal(error) ?? error
      })
    },
  }
}

/**
 * Returns the deletion of a user as a changeset, which has no values. Throws a Refusal (404) if the id is not that of
 * a deletion.
 */
async function deletionOf(database: Handle, id: string) {
  const [row] = await deletionsByChangesets(database, [id])
  if (!row) throw notFound('changeset')
  const { user, actor, reference, time } = row
  const said = { ...(actor !== null && { actor }), ...(reference !== null && { reference }) }
  return { id, user, ...said, time, op: 'remove', changes: [] }
}

/**
 * Returns the reason of a changeset, or `reasonMasked` if it cannot be shown. Reading a reason is not recorded, whether
 * it is read here or with an event.
 */
function reasonFor({ scopes }: Caller, keys: StoreKeys, { user, id, reason: sealed, ...key }: ChangesetRow) {
  if (sealed === null) return {}
  const reason = scopes.has('sensitive:read') ? openReason(keys, { ...key, user, id, sealed }) : undefined
  return reason === undefined ? { reasonMasked: true } : { reason }
}

function notRevertible(entity: string | null): Refusal {
  const made = entity === null ? 'user' : 'entity'
  return new Refusal(
    'not_revertible',
    `The creation of the ${made} cannot be reverted. Nothing was changed; delete the ${made} instead.`,
  )
}
