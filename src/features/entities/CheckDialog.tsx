import '@mantine/core/styles/Alert.layer.css'
import '@mantine/core/styles/Input.layer.css'

import { Alert, TextInput } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { useOnce } from '../../domain/writing/use-once.ts'
import { entityText } from '../../messages/index.ts'
import { AskDialog } from './AskDialog.tsx'
import { checkValue } from './writes.ts'

const text = entityText.checking

export interface CheckDialogProps {
  readonly userId: string
  /** Of the sensitive properties that are compared. */
  readonly propertyKey: string
  readonly onClose: () => void
}

/** Whether what a person says is what is stored, which is not shown. What is typed goes with the dialog. */
export function CheckDialog({ userId, propertyKey: key, onClose }: CheckDialogProps) {
  const [said, setSaid] = useState('')
  const { mutate, reset, isPending, data: matches, error } = useMutation(checkValue(userId))
  // Each check is recorded, and there are few of them.
  const once = useOnce()
  const value = said.trim()
  return (
    <AskDialog
      userId={userId}
      title={text.title(key)}
      body={text.body}
      action={text.action}
      needsReason={false}
      isComplete={value !== ''}
      isPending={isPending}
      failure={error ? { title: text.failed, error, own: text.failure } : undefined}
      onAsk={(reason) => once((free) => mutate({ key, value, reason }, { onSettled: free }))}
      onClose={onClose}
      renderQuestion={({ isTried, askByEnter }) => (
        <TextInput
          data-autofocus
          dir="auto"
          label={text.said}
          error={isTried && value === '' && text.missing}
          required
          autoComplete="off"
          spellCheck={false}
          value={said}
          onKeyDown={askByEnter}
          onChange={(event) => {
            setSaid(event.currentTarget.value)
            // An answer is about what was asked.
            reset()
          }}
        />
      )}
    >
      <output>
        {matches !== undefined && (
          <Alert
            color={matches ? 'green' : 'red'}
            icon={matches ? <IconCheck aria-hidden /> : <IconX aria-hidden />}
            title={matches ? text.yes : text.no}
          >
            {matches ? text.yesBody : text.noBody}
          </Alert>
        )}
      </output>
    </AskDialog>
  )
}
