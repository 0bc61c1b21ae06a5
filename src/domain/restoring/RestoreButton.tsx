import { Button } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import { mutationOptions, useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { api, ApiError, keyedWrites, offers, refresh } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { restoringText, sharedText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { showToast } from '../../ui/toast.tsx'
import { describe } from '../failures/describe-failure.ts'
import { typeLabel, typeWithin } from '../labels.ts'
import { isReasonMissing, type Reason, ReasonField, useReason } from '../writing/reason.tsx'

interface RestoreOptions {
  /** Type of the entity; undefined if it is unknown. */
  readonly type?: string | undefined
  readonly reason?: string | undefined
  readonly onRestored?: (() => Promise<void> | void) | undefined
  /** Called if the service refuses to restore the entity without a reason. By default, a message says so. */
  readonly onReasonMissing?: (() => void) | undefined
}

interface RestoreButtonProps extends Omit<RestoreOptions, 'reason' | 'onReasonMissing'> {
  readonly deleted: Deleted
  /** Whether the entity had sensitive values, as far as known. */
  readonly isSensitive?: boolean
}

/** Button that restores a deleted entity, if the service keeps deleted ones. */
export function RestoreButton({ deleted, type, isSensitive = false, onRestored }: RestoreButtonProps) {
  const denied = useDenied('entities:write', ...(isSensitive ? (['sensitive:write'] as const) : []))
  const [isAsking, setAsking] = useState(false)
  const reason = useReason()
  const onReasonMissing = () => {
    reason.demand()
    setAsking(true)
  }
  const { restore, isRestoring } = useRestore(deleted, {
    type,
    reason: reason.given,
    onRestored,
    onReasonMissing,
  })
  const close = () => setAsking(false)
  if (!restore) return null
  return (
    <>
      <DisabledReason reason={denied}>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconRestore size={14} stroke={1.75} />}
          loading={isRestoring}
          onClick={() => (reason.isRequired ? setAsking(true) : restore())}
        >
          {actionOn(type)}
        </Button>
      </DisabledReason>
      {isAsking && (
        <RestoreDialog
          {...{ type, reason }}
          onRestore={() => {
            close()
            restore()
          }}
          onClose={close}
        />
      )}
    </>
  )
}

function actionOn(type: string | undefined): string {
  return type === undefined ? restoringText.action : restoringText.actionOf({ type: typeWithin(type) })
}

interface RestoreDialogProps {
  readonly type: string | undefined
  readonly reason: Reason
  readonly onRestore: () => void
  readonly onClose: () => void
}

/** Dialog that asks for the reason for restoring an entity, if the service requires one. */
function RestoreDialog({ type, reason, onRestore, onClose }: RestoreDialogProps) {
  const restore = () => {
    if (reason.isReady()) onRestore()
  }
  return (
    <Dialog
      title={type === undefined ? restoringText.title : restoringText.titleOf({ type: typeWithin(type) })}
      onClose={onClose}
      back={sharedText.cancel}
      actions={<Button onClick={restore}>{actionOn(type)}</Button>}
    >
      <ReasonField reason={reason} onEnter={restore} />
    </Dialog>
  )
}

/** Returns a function that restores a deleted entity, even after its page is left; undefined on a bare service. */
export function useRestore(deleted: Deleted, { type, reason, onRestored, onReasonMissing }: RestoreOptions) {
  const [write] = useState(keyedWrites)
  const { mutateAsync, isPending } = useMutation(restoreEntity(deleted, write, reason))
  const restore = async () => {
    try {
      await mutateAsync()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (onReasonMissing && isReasonMissing(error)) return onReasonMissing()
      const reason = describe(error, restoringText.failure)
      return showToast({
        message: restoringText.failed({ reason }),
        tone: 'failure',
        requestId: error.requestId,
      })
    }
    showToast({
      message:
        type === undefined ? restoringText.restored : restoringText.restoredOf({ type: typeLabel(type) }),
    })
    await onRestored?.()
  }
  return { restore: offers('restoreEntity') ? () => void restore() : undefined, isRestoring: isPending }
}

interface Deleted {
  readonly userId: string
  readonly entityId: string
  /** Id of the deletion's changeset; undefined for the last deletion. */
  readonly changesetId?: string | undefined
}

/** Restores a deleted entity. One that exists counts as restored: by somebody else, or by a lost earlier request. */
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
    onSettled: (_nothing, _error, _void, _result, { client }) => refresh(client, 'listEntities'),
  })
}
