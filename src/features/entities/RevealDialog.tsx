import { useMutation } from '@tanstack/react-query'

import { keyLabel } from '../../domain/values/key-label.ts'
import { useSubmitLock } from '../../domain/writing/use-submit-lock.ts'
import { entityText } from '../../messages/index.ts'
import { AskDialog } from './AskDialog.tsx'
import type { useReveal } from './reveal.ts'
import type { DraftRow } from './row.ts'
import type { Place } from './save.ts'
import { revealProperty } from './writes.ts'

const revealingText = entityText.revealing

// Failure texts of the dialog. A request is invalid only if the property was removed, which `invalid` says.
const own = {
  ...revealingText.failure,
  missing: entityText.failure.missing,
  busy: (seconds: number | undefined) =>
    seconds === undefined ? revealingText.busy : revealingText.busyFor({ seconds }),
  rest: [],
}

export interface RevealDialogProps {
  readonly place: Required<Place>
  readonly row: DraftRow
  readonly reveal: Pick<ReturnType<typeof useReveal>, 'show' | 'hide'>
}

/** Dialog that asks for the reason the service requires, then requests the sensitive value. */
export function RevealDialog({ place, row, reveal }: RevealDialogProps) {
  const { mutate, isPending, error } = useMutation(revealProperty(place))
  // The service records every reveal, so a double submit must not send two.
  const once = useSubmitLock()
  const { key } = row.loaded ?? row
  return (
    <AskDialog
      userId={place.userId}
      title={entityText.revealOf({ label: keyLabel(key) })}
      body={revealingText.body}
      action={entityText.reveal}
      needsReason
      isComplete
      isPending={isPending}
      failure={error ? { title: revealingText.failed, error, own } : undefined}
      onAsk={(reason = '') =>
        once((free) =>
          mutate({ key, reason }, { onSuccess: (property) => reveal.show(row.id, property), onError: free }),
        )
      }
      onClose={reveal.hide}
    />
  )
}
