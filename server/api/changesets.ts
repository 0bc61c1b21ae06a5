import { joinedKey } from '../sealing/data-keys.ts'
import { recordAccesses, showsValues } from '../events/accesses.ts'
import { notFound } from '../http/problem.ts'
import type { Handlers } from '../http/serve.ts'
import { answeredChanges, openChanges } from '../changesets/changes.ts'
import { changesetById, sensitiveKeys } from '../changesets/storage.ts'
import type { Needs } from './needs.ts'

export function changesetHandlers({ database, sensitiveReads }: Needs): Handlers<'getChangeset'> {
  return {
    async getChangeset({ params: { changeset_id }, query, caller }) {
      const row = await changesetById(database.sql, changeset_id)
      if (!row) throw notFound('changeset')
      const { user, entity_id: entity, actor, time, op, entity_type, entity_type_before } = row
      const maySee = showsValues(caller, query, sensitiveReads)
      // Also what was marked as sensitive later on: a value does not stay open to all in the history.
      const withheld =
        maySee || entity === null ? new Set<string>() : await sensitiveKeys(database.sql, user, entity)
      const place = { user, entity: entity ?? undefined, changeset: row.id }
      const secrets = row.changes.filter(({ sealed }) => sealed).map(({ key }) => key)
      const dataKey = maySee && secrets.length > 0 ? joinedKey(database.keys.keyring, row) : undefined
      const changes = maySee ? openChanges(dataKey, place, row.changes) : row.changes
      if (maySee && entity !== null)
        await recordAccesses(database.sql, caller, [{ user, entity, keys: secrets }])
      return {
        status: 200,
        body: {
          id: row.id,
          user,
          ...(entity !== null && { entity }),
          actor,
          time,
          op,
          ...(entity_type !== null && { entityType: entity_type }),
          ...(entity_type_before !== null && { entityTypeBefore: entity_type_before }),
          changes: answeredChanges(changes, (key) => withheld.has(key)),
        },
      }
    },
  }
}
