import '@mantine/core/styles/Input.layer.css'

import { Button, Stack, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'

import { sharedText } from '../messages/index.ts'
import { Dialog } from './Dialog.tsx'

export interface ConfirmByTypingProps {
  /** Names the thing: "Delete Ana Lopez?" */
  readonly title: string
  /** What goes and what stays. */
  readonly children: ReactNode
  /** What must be typed, shown beside the field. */
  readonly word: string
  /** The verb with its object: "Delete user". */
  readonly action: string
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly pending?: boolean
  /** A failed try, shown above the buttons (an `InlineFailure`); the dialog stays. */
  readonly failure?: ReactNode
}

/** For what cannot be undone: the button works once the word is typed. Mount it to open it. */
export function ConfirmByTyping(props: ConfirmByTypingProps) {
  const { title, children, word, action, onConfirm, onClose, pending = false, failure } = props
  const [typed, setTyped] = useState('')
  const matches = typed.trim() === word
  return (
    <Dialog title={title} {...(pending ? {} : { onClose })}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (matches && !pending) onConfirm()
        }}
        style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 12 }}
      >
        <Stack gap="xs">{children}</Stack>
        <TextInput
          label={sharedText.confirm.label(word)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        {failure}
        <div style={{ display: 'flex', gap: 8, justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose} disabled={pending}>
            {sharedText.cancel}
          </Button>
          <Button type="submit" color="red" disabled={!matches} loading={pending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
