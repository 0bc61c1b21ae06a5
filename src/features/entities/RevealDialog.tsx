import '@mantine/core/styles/Input.layer.css'

import { Button, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useOutletContext } from 'react-router'

import type { Property } from '#contract/index.ts'

import { entityText, sharedText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import type { GivenReasons } from './reveal.ts'
import type { Row } from './row.ts'
import type { Place } from './save.ts'
import { revealProperty } from './writes.ts'

const text = entityText.revealing

/** As the service limits it. */
const maxReason = 500

// The key is the one thing that can be wrong with the request.
const own = { ...text.failure, missing: entityText.failure.missing, rest: [] }

export interface RevealDialogProps {
  readonly place: Required<Place>
  readonly row: Row
  readonly onRevealed: (rowId: string, property: Property) => void
  readonly onClose: () => void
}

/** Asks for what the service wants to know before it shows a sensitive value, and for the value. */
export function RevealDialog({ place, row, onRevealed, onClose }: RevealDialogProps) {
  const reasons = useOutletContext<GivenReasons>()
  const [reason, setReason] = useState(reasons.get(place.userId) ?? '')
  const [tried, setTried] = useState(false)
  const { mutate, isPending, error } = useMutation(revealProperty(place))
  const { key } = row.loaded ?? row
  const given = reason.trim()
  const problem =
    given === '' ? text.reasonMissing : given.length > maxReason ? text.reasonTooLong : undefined
  const ask = () => {
    setTried(true)
    if (problem !== undefined || isPending) return
    reasons.set(place.userId, given)
    mutate({ key, reason: given }, { onSuccess: (property) => onRevealed(row.id, property) })
  }
  return (
    <Dialog
      title={text.title(key)}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {sharedText.cancel}
          </Button>
          <Button onClick={ask} loading={isPending}>
            {entityText.reveal}
          </Button>
        </>
      }
    >
      {/* No form of its own: the entity's is around it. */}
      <p>{text.body}</p>
      {error && <InlineFailure title={text.failed} error={error} own={own} />}
      <Textarea
        data-autofocus
        label={text.reason}
        description={text.reasonHint}
        error={tried && problem}
        rows={2}
        required
        autoComplete="off"
        value={reason}
        // A reason that was given before stands there to be confirmed, or typed over.
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          ask()
        }}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Dialog>
  )
}
