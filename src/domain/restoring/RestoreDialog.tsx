import { Button } from '@mantine/core'

import { restoringText, sharedText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import type { Reason } from '../writing/reason.ts'
import { ReasonField } from '../writing/ReasonField.tsx'

interface RestoreDialogProps {
  /** Of the entity; absent: not known. */
  readonly type: string | undefined
  readonly reason: Reason
  readonly onRestore: () => void
  readonly onClose: () => void
}

/** Asks why a deleted entity is to be put back, for services that want to know. */
export function RestoreDialog({ type, reason, onRestore, onClose }: RestoreDialogProps) {
  const restore = () => {
    if (reason.isReady()) onRestore()
  }
  return (
    <Dialog
      title={restoringText.title(type)}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {sharedText.cancel}
          </Button>
          <Button onClick={restore}>{restoringText.action(type)}</Button>
        </>
      }
    >
      <ReasonField reason={reason} onEnter={restore} />
    </Dialog>
  )
}
