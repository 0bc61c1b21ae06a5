import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { ApiError, isFull, keyedWrites } from '../../api/index.ts'
import { restoringText } from '../../messages/index.ts'
import { showToast } from '../../ui/toast.tsx'
import { describe } from '../failures/describe.ts'
import { keyLabel } from '../values/key-label.ts'
import { type Deleted, restoreEntity } from './restore-entity.ts'

/**
 * Returns a function that restores a deleted entity and notifies about the result; undefined on a bare service, which
 * keeps nothing of it. It may be called after the page that offered it has been left.
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
