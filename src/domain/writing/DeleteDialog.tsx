import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import { ApiError } from '../../api/index.ts'
import { sharedText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import type { OwnWords } from '../failures/describe.ts'
import { InlineFailure } from '../failures/InlineFailure.tsx'
import type { Reason } from './reason.ts'
import { ReasonField } from './ReasonField.tsx'
import { useSubmitLock } from './use-submit-lock.ts'

export interface DeleteDialogProps {
  /** Names the thing: "Delete Ana Lopez?" */
  readonly title: string
  /** Consequences of the deletion: the data that goes and the data that stays. */
  readonly children: ReactNode
  /** Word that must be typed to confirm, shown beside the field; absent: a press is enough. */
  readonly word?: string
  /** The verb with its object: "Delete user". */
  readonly action: string
  readonly deletion: UseMutationOptions<void>
  /** Asked for before, where the service keeps it. */
  readonly reason?: Reason
  /** Whether a field among `children` is filled in as it should be; else it has the focus, and says what is wrong. */
  readonly isReady?: () => boolean
  /** Above the reason why it was not deleted. */
  readonly failed: string | ((error: ApiError) => string)
  readonly own: OwnWords
  /** Gone: leave the page. */
  readonly onDeleted: () => Promise<void> | void
  readonly onClose: () => void
}

/** For what cannot be undone. Mount it to open it. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { title, children, word, action, reason, isReady, failed, onDeleted, onClose } = props
  const [typed, setTyped] = useState('')
  const { mutateAsync, isPending, isSuccess, error } = useMutation(props.deletion)
  const once = useSubmitLock()
  const isBusy = isPending || isSuccess
  // A word of blanks alone is one that nobody has typed.
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
      {...(isBusy ? {} : { onClose })}
      actions={
        <>
          <Button variant="default" onClick={onClose} disabled={isBusy}>
            {sharedText.cancel}
          </Button>
          <Button color="red" onClick={press} disabled={!matches} loading={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <Stack gap="xs">{children}</Stack>
      {/* No form of its own: the page's may be around it. */}
      {word !== undefined && (
        <TextInput
          label={sharedText.confirm.label({ word })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.nativeEvent.isComposing) press()
          }}
          autoComplete="off"
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

/** Somebody else was faster, or an earlier try did more than its answer told. */
function isAlreadyDeleted(error: ApiError): boolean {
  return error.status === 404
}
