import { Button } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import { useState } from 'react'

import { useDenied } from '../../auth/use-session.ts'
import { restoringText, sharedText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { type Reason, useReason, ReasonField } from '../writing/reason.tsx'
import { type Deleted, useRestore } from './use-restore.ts'
import { Dialog } from '../../ui/Dialog.tsx'

interface RestoreButtonProps {
  readonly deleted: Deleted
  /** Type of the entity; undefined if it is unknown. */
  readonly type?: string | undefined
  /** Whether the entity had sensitive values, as far as known. */
  readonly isSensitive?: boolean
  readonly onRestored?: () => Promise<void> | void
}

/** Button that restores a deleted entity, if the service keeps deleted ones. */
export function RestoreButton({ deleted, type, isSensitive = false, onRestored }: RestoreButtonProps) {
  const writeDenied = useDenied('entities:write')
  const sensitiveDenied = useDenied('sensitive:write')
  const [isAsking, setAsking] = useState(false)
  const reason = useReason()
  const { restore, isRestoring } = useRestore(deleted, {
    type,
    reason: reason.given,
    ...(onRestored && { onRestored }),
  })
  const close = () => setAsking(false)
  if (!restore) return null
  return (
    <>
      <DisabledReason reason={writeDenied ?? (isSensitive ? sensitiveDenied : undefined)}>
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
  return type === undefined ? restoringText.action : restoringText.actionOf({ type })
}

interface RestoreDialogProps {
  /** Type of the entity; undefined if it is unknown. */
  readonly type: string | undefined
  readonly reason: Reason
  readonly onRestore: () => void
  readonly onClose: () => void
}

/** Dialog that asks for the reason for restoring an entity, for services that require one. */
function RestoreDialog({ type, reason, onRestore, onClose }: RestoreDialogProps) {
  const restore = () => {
    if (reason.isReady()) onRestore()
  }
  return (
    <Dialog
      title={type === undefined ? restoringText.title : restoringText.titleOf({ type })}
      onClose={onClose}
      back={sharedText.cancel}
      actions={<Button onClick={restore}>{actionOn(type)}</Button>}
    >
      <ReasonField reason={reason} onEnter={restore} />
    </Dialog>
  )
}
