import { mutationOptions, useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { api, ApiError, isFull, keyedWrites } from '../../api/index.ts'
import { restoringText } from '../../messages/index.ts'
import { showToast } from '../../ui/toast.tsx'
import { describe } from '../failures/describe.ts'
import { keyLabel } from '../values/key-label.ts'
import { entitiesQuery } from '../queries/entities.ts'
import { aboutUser } from '../queries/users.ts'

/**
 * Returns a function that restores a deleted entity and notifies about the result; undefined if the service keeps no
 * deleted entities. The function may be called after the page that offered it has been left.
 */
export function useRestore(
  deleted: Deleted,
  {
    type,
    reason,
    onRestored,
  }: {
    readonly type: string | undefined
    readonly reason?: string | undefined
    readonly onRestored?: () => Promise<void> | void
  },
) {
  const [write] = useState(keyedWrites)
  const { mutateAsync, isPending } = useMutation(restoreEntity(deleted, write, reason))
  const restore = async () => {
    try {
      await mutateAsync()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const reason = describe(error, restoringText.failure)
      return showToast({
        message: restoringText.failed({ reason }),
        tone: 'failure',
        requestId: error.requestId,
      })
    }
    showToast({
      message:
        type === undefined ? restoringText.restored : restoringText.restoredOf({ type: keyLabel(type) }),
    })
    await onRestored?.()
  }
  return { restore: isFull() ? () => void restore() : undefined, isRestoring: isPending }
}

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
function restoreEntity(
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
