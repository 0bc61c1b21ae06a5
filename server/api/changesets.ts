import { validate as isUuid } from 'uuid'

import { joinedKey } from '../sealing/data-keys.ts'
import type { Database } from '../sealing/database.ts'
import { recordAccesses, type SensitiveReads, showsValues } from '../events/accesses.ts'
import { Refusal } from '../http/problem.ts'
import type { Handlers } from '../http/serve.ts'
import { answeredChanges, openChanges } from '../changesets/changes.ts'
import { changesetById, sensitiveKeys } from '../changesets/storage.ts'

export function changesetHandlers({
  database,
  sensitiveReads,
}: {
  readonly database: Database
  readonly sensitiveReads?: SensitiveReads | undefined
}): Handlers<'getChangeset'> {
  return {
    async getChangeset({ params: { changeset_id: id }, query, caller }) {
      const row = isUuid(id) ? await changesetById(database.sql, id) : undefined
      if (!row)
        throw new Refusal(
          'changeset_not_found',
          'No changes are kept under this id: the user that they were about has been deleted, or they were never recorded.',
        )
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
