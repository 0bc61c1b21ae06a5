import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import type { Entity } from '#contract/index.ts'

import { ApiError, keyedWrites } from '../../../api/index.ts'
import { InlineFailure } from '../../../domain/failures/InlineFailure.tsx'
import { keyLabel } from '../../../domain/values/key-label.ts'
import { useReason } from '../../../domain/writing/reason.ts'
import { ReasonField } from '../../../domain/writing/ReasonField.tsx'
import { useSubmitLock } from '../../../domain/writing/use-submit-lock.ts'
import { entityText, historyText, sharedText } from '../../../messages/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { revertProperty } from '../writes.ts'
import type { Revert } from './put-back.ts'

const revertingText = historyText.reverting

export interface RevertDialogProps {
  readonly userId: string
  /** Entity as this person last read it. */
  readonly loaded: Entity
  readonly revert: Revert
  /** Time of the write to revert; the value before it is restored. */
  readonly time: string
  /** Shows the entity as it is now. */
  readonly onReadAgain: () => Promise<void>
  readonly onClose: () => void
}

/** Dialog that lets the service restore a hidden value. */
export function RevertDialog({ userId, loaded, revert, time, onReadAgain, onClose }: RevertDialogProps) {
  const label = keyLabel(revert.key)
  const [write] = useState(keyedWrites)
  const reason = useReason()
  const { mutateAsync, isPending, error, data } = useMutation(
    revertProperty(userId, loaded, write, reason.given),
  )
  const once = useSubmitLock()
  const isContested = data === 'contested'
  const readAgain = async () => {
    try {
      await onReadAgain()
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
      showToast({ message: revertingText.unread, tone: 'failure', requestId: failure.requestId })
    }
    onClose()
  }
  const send = async (free: () => void) => {
    const outcome = await mutateAsync(revert).catch(() => undefined)
    if (outcome !== 'put back') return free()
    showToast({ message: revertingText.done({ label }) })
    await readAgain()
  }
  const putBack = () => {
    if (reason.isReady()) once((free) => void send(free))
  }
  return (
    <Dialog
      title={revertingText.title({ label })}
      {...(!isPending && { onClose })}
      actions={
        <>
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {sharedText.cancel}
          </Button>
          {isContested ? (
            <Button onClick={() => void readAgain()}>{entityText.failure.readAgain}</Button>
          ) : (
            <Button onClick={putBack} loading={isPending}>
              {historyText.restore}
            </Button>
          )}
        </>
      }
    >
      <p>{revertingText.body({ label, time })}</p>
      {!isContested && <ReasonField reason={reason} onEnter={putBack} />}
      {isContested && (
        <InlineFailure title={revertingText.contested({ label })}>
          {revertingText.contestedBody}
        </InlineFailure>
      )}
      {error && <InlineFailure title={revertingText.failed} error={error} own={revertingText.failure} />}
    </Dialog>
  )
}
