import { Button } from '@mantine/core'

import type { shellText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'

interface LeaveDialogProps {
  readonly words: typeof shellText.leave
  readonly onStay: () => void
  readonly onLeave: () => void
}

/** Dialog that asks for confirmation before unsaved edits are abandoned. */
export function LeaveDialog({ words, onStay, onLeave }: LeaveDialogProps) {
  return (
    <Dialog
      title={words.title}
      onClose={onStay}
      actions={
        <>
          <Button variant="default" onClick={onLeave}>
            {words.leave}
          </Button>
          <Button onClick={onStay}>{words.stay}</Button>
        </>
      }
    >
      <p>{words.body}</p>
    </Dialog>
  )
}
