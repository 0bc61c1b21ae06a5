import { Alert, TextInput } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'

import { useSubmitLock } from '../../domain/writing/use-submit-lock.ts'
import { keyLabel } from '../../domain/values/key-label.ts'
import { numbersIn } from '../../domain/values/numbers.ts'
import { Readings } from '../../domain/values/Readings.tsx'
import { entityText, valueText } from '../../messages/index.ts'
import { AskDialog } from './AskDialog.tsx'
import { checkValue } from './writes.ts'

const checkingText = entityText.checking

const own = {
  ...checkingText.failure,
  busy: (seconds: number | undefined) =>
    seconds === undefined ? checkingText.busy : checkingText.busyFor({ minutes: Math.ceil(seconds / 60) }),
}

export interface CheckDialogProps {
  readonly userId: string
  /** Key of the sensitive property whose values are compared. */
  readonly propertyKey: string
  /** Data type of the compared values. */
  readonly type: string
  readonly onClose: () => void
}

/**
 * Dialog that checks whether a value someone states matches the stored one, without showing the stored one. The typed
 * value is discarded with the dialog.
 */
export function CheckDialog({ userId, propertyKey: key, type, onClose }: CheckDialogProps) {
  const [said, setSaid] = useState('')
  const { mutate, reset, isPending, data: matches, error } = useMutation(checkValue(userId))
  // Each check is recorded and checks are limited, so a double submit must not use up two.
  const once = useSubmitLock()
  // The service compares numbers in their stored form and would read "7.500" as a different number.
  const numbers = type === 'NUMBER' || type === 'DECIMAL' ? numbersIn(said) : []
  const isDoubtful = numbers.length > 1
  const value = numbers[0] ?? said.trim()
  const say = (next: string) => {
    setSaid(next)
    // The previous answer does not apply to the new input.
    reset()
  }
  return (
    <AskDialog
      userId={userId}
      title={entityText.checkOf({ label: keyLabel(key) })}
      body={checkingText.body}
      action={checkingText.action}
      needsReason={false}
      isComplete={value !== '' && !isDoubtful}
      isPending={isPending}
      failure={error ? { title: checkingText.failed, error, own } : undefined}
      onAsk={(reason) => once((free) => mutate({ key, value, reason }, { onSettled: free }))}
      onClose={onClose}
      renderQuestion={({ isTried, askByEnter }) => (
        <div>
          <TextInput
            data-autofocus
            dir="auto"
            name="text"
            label={checkingText.said}
            error={isDoubtful ? valueText.twoNumbers : isTried && value === '' && checkingText.missing}
            required
            autoComplete="off"
            spellCheck={false}
            value={said}
            onKeyDown={askByEnter}
            onChange={(event) => say(event.currentTarget.value)}
          />
          <div aria-live="polite">
            {isDoubtful && (
              <Readings
                type={type}
                draft={{ text: said }}
                parts={['text']}
                label={checkingText.said}
                onChange={(read) => say(read.text)}
              />
            )}
          </div>
        </div>
      )}
    >
      <output>
        {matches !== undefined && (
          <Alert
            color={matches ? 'green' : 'red'}
            icon={matches ? <IconCheck aria-hidden /> : <IconX aria-hidden />}
            title={matches ? checkingText.yes : checkingText.no}
          >
            {matches ? checkingText.yesBody : checkingText.noBody}
          </Alert>
        )}
      </output>
    </AskDialog>
  )
}
