import { Button } from '@mantine/core'

import { knownPropertyText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { keyLabel } from '../values/key-label.ts'
import type { KnownProperty } from './known-property.ts'

const text = knownPropertyText.open

export interface OpenDialogProps {
  readonly property: string
  readonly known: KnownProperty
  readonly onOpen: () => void
  readonly onClose: () => void
}

/** The question before values stand in clear that others have hidden. */
export function OpenDialog({ property, known: { users, isAll = false }, onOpen, onClose }: OpenDialogProps) {
  const label = keyLabel(property)
  return (
    <Dialog
      title={text.title(label)}
      onClose={onClose}
      actions={
        <>
          <Button
            variant="default"
            onClick={() => {
              onOpen()
              onClose()
            }}
          >
            {text.open(label)}
          </Button>
          <Button onClick={onClose}>{text.keep(label)}</Button>
        </>
      }
    >
      <p>
        {text.body(label, users, isAll)} {text.consequence}
      </p>
    </Dialog>
  )
}
