import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import { ApiError } from '../../api/index.ts'
import { sharedText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { EmailText } from '../../ui/EmailText.tsx'
import type { OwnWords } from '../failures/describe-failure.ts'
import { InlineFailure } from '../failures/InlineFailure.tsx'
import { type Reason, ReasonField } from './reason.tsx'
import { useSubmitLock } from './use-submit-lock.ts'

export interface DeleteDialogProps {
  /** Question that names the object: "Delete Ana Lopez?" */
  readonly title: string
  /** Consequences of the deletion: the data that is deleted and the data that is kept. */
  readonly children: ReactNode
  /** Word to type for confirmation, shown beside the field; without it, pressing the button is enough. */
  readonly word?: string
  /** Button label, a verb with its object: "Delete user". */
  readonly action: string
  readonly deletion: UseMutationOptions<void>
  /** Reason to ask for, if the service records reasons. */
  readonly reason?: Reason
  /** Returns whether the fields in `children` are valid. If not, focuses the invalid field and shows its error. */
  readonly isReady?: () => boolean
  /** Title above the reason why the deletion failed. */
  readonly failed: string | ((error: ApiError) => string)
  readonly own: OwnWords
  /** Called after the deletion, to leave the page. */
  readonly onDeleted: () => Promise<void> | void
  readonly onClose: () => void
}

/** Confirmation dialog for a deletion. It opens when mounted. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { title, children, word, action, reason, isReady, failed, onDeleted, onClose } = props
  const [typed, setTyped] = useState('')
  const { mutateAsync, isPending, isSuccess, error } = useMutation(props.deletion)
  const once = useSubmitLock()
  const isBusy = isPending || isSuccess
  // A word of only spaces must not count as typed.
  const matches = word === undefined || (word.trim() !== '' && typed.trim() === word.trim())
  const confirm = async (free: () => void) => {
    try {
      await mutateAsync()
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
      if (!isAlreadyDeleted(failure)) return free()
    }
    await onDeleted()
  }
  const press = () => {
    if (matches && isReady?.() !== false && reason?.isReady() !== false) once((free) => void confirm(free))
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      back={sharedText.cancel}
      isBusy={isBusy}
      actions={
        <Button color="red" onClick={press} disabled={!matches} loading={isBusy}>
          {action}
        </Button>
      }
    >
      <Stack gap="xs">{children}</Stack>
      {/* The dialog contains no form element, since the page may render it inside its own form. */}
      {word !== undefined && (
        <TextInput
          label={sharedText.confirm.label.withElements({ word: <EmailText>{word}</EmailText> })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) press()
          }}
          spellCheck={false}
          data-autofocus
        />
      )}
      {reason && <ReasonField reason={reason} onEnter={press} />}
      {error instanceof ApiError && !isAlreadyDeleted(error) && (
        <InlineFailure
          title={typeof failed === 'string' ? failed : failed(error)}
          error={error}
          own={props.own}
        />
      )}
    </Dialog>
  )
}

/** Whether somebody else deleted the object, or an earlier attempt did whose response was lost. */
function isAlreadyDeleted(error: ApiError): boolean {
  return error.status === 404
}
