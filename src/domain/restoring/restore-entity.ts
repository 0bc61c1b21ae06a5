import { mutationOptions } from '@tanstack/react-query'

import { api, ApiError, type keyedWrites } from '../../api/index.ts'
import { entitiesQuery } from '../queries/entities.ts'
import { aboutUser } from '../queries/users.ts'

export interface Deleted {
  readonly userId: string
  readonly entityId: string
  /** Id of the deletion's changeset; undefined for the last deletion. */
  readonly changesetId?: string | undefined
}

/**
 * Restores a deleted entity. An entity that already exists counts as restored: somebody else was faster, or the
 * response to an earlier request was lost.
 */
export function restoreEntity(
  { userId, entityId, changesetId }: Deleted,
  write: ReturnType<typeof keyedWrites>,
  reason?: string,
) {
  return mutationOptions({
    mutationFn: async () => {
      try {
        await write([changesetId ?? entityId, reason], (keyed) =>
          changesetId === undefined
            ? api.restoreEntity({ params: { user_id: userId, entity_id: entityId }, reason, ...keyed })
            : api.revertChangeset({ params: { changeset_id: changesetId }, body: {}, reason, ...keyed }),
        )
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'entity_exists') throw error
      }
    },
    onSettled: async (_nothing, _error, _void, _result, { client }) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: entitiesQuery(userId).queryKey }),
        client.invalidateQueries({ queryKey: [...aboutUser(userId), 'now'] }),
      ])
    },
  })
}
