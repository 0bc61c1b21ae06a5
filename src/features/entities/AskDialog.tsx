import { Button, TextInput } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, use, useState } from 'react'

import { maxReason } from '#contract/index.ts'

import { InlineFailure, type InlineFailureProps } from '../../domain/failures/InlineFailure.tsx'
import { entityText, sharedText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { isComposing } from '../../ui/use-pointed.ts'
import { GivenReasonsContext } from './reveal.ts'

const revealingText = entityText.revealing

/** State of the dialog that its question needs. */
export interface Asking {
  /** Somebody wanted the answer: what is wrong is shown. */
  readonly isTried: boolean
  readonly askByEnter: (event: KeyboardEvent) => void
}

export interface AskDialogProps {
  readonly userId: string
  readonly title: string
  /** Consequences of the request, in a sentence. */
  readonly body: string
  readonly action: string
  readonly needsReason: boolean
  /** Whether the rest of the question is complete. */
  readonly isComplete: boolean
  readonly isPending: boolean
  readonly failure: InlineFailureProps | undefined
  readonly onAsk: (reason: string | undefined) => void
  readonly onClose: () => void
  /** Renders the question, above the reason. */
  readonly renderQuestion?: (asking: Asking) => ReactNode
  /** Content below the reason. */
  readonly children?: ReactNode
}

/**
 * Asks the service about a sensitive value; the service records the request with its reason. The last reason is
 * prefilled.
 */
export function AskDialog(props: AskDialogProps) {
  const { userId, needsReason, isComplete, isPending, failure, renderQuestion, onAsk, onClose } = props
  const reasons = use(GivenReasonsContext)
  const [typed, setTyped] = useState(reasons.get(userId) ?? '')
  const [isTried, setTried] = useState(false)
  const reason = typed.trim()
  const problem =
    needsReason && reason === ''
      ? revealingText.reasonMissing
      : reason.length > maxReason
        ? revealingText.reasonTooLong
        : undefined
  const ask = () => {
    setTried(true)
    if (problem !== undefined || !isComplete || isPending) return
    if (reason !== '') reasons.set(userId, reason)
    onAsk(reason === '' ? undefined : reason)
  }
  const askByEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || isComposing(event)) return
    event.preventDefault()
    if (!event.repeat) ask()
  }
  return (
    <Dialog
      title={props.title}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {renderQuestion ? sharedText.close : sharedText.cancel}
          </Button>
          <Button onClick={ask} loading={isPending}>
            {props.action}
          </Button>
        </>
      }
    >
      {/* No form of its own: the entity's is around it. */}
      <p>{props.body}</p>
      {renderQuestion?.({ isTried, askByEnter })}
      <TextInput
        data-autofocus={!renderQuestion || undefined}
        dir="auto"
        label={needsReason ? revealingText.reason : revealingText.reasonOptional}
        description={revealingText.reasonHint}
        error={isTried && problem}
        required={needsReason}
        autoComplete="off"
        value={typed}
        // A prefilled reason is selected, to be confirmed or typed over.
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={askByEnter}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {failure && <InlineFailure {...failure} />}
      {props.children}
    </Dialog>
  )
}
