import { Button, TextInput } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, use, useState } from 'react'

import { maxReason } from '#contract/index.ts'

import { InlineFailure, type InlineFailureProps } from '../../domain/failures/InlineFailure.tsx'
import { entityText, sharedText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { isComposing } from '../../ui/use-pointed.ts'
import { GivenReasonsContext } from './reveal.ts'

const revealingText = entityText.revealing

/** Dialog state passed to the rendered question. */
export interface Asking {
  /** Whether an answer was already requested; problems are shown from then on. */
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
  /** Whether everything but the reason is filled in. */
  readonly isComplete: boolean
  readonly isPending: boolean
  readonly failure: InlineFailureProps | undefined
  readonly onAsk: (reason: string | undefined) => void
  readonly onClose: () => void
  /** Renders the question above the reason field. */
  readonly renderQuestion?: (asking: Asking) => ReactNode
  /** Content below the reason field. */
  readonly children?: ReactNode
}

/**
 * Dialog that asks the service about a sensitive value. The service records the request with its reason; the last
 * reason given is prefilled.
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
      back={renderQuestion ? sharedText.close : sharedText.cancel}
      actions={
        <Button onClick={ask} loading={isPending}>
          {props.action}
        </Button>
      }
    >
      {/* Not a form, because the dialog may be rendered inside the entity's form. */}
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
        // Select a prefilled reason, so that it can be confirmed or typed over.
        onFocus={(event) => event.currentTarget.select()}
        onKeyDown={askByEnter}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {failure && <InlineFailure {...failure} />}
      {props.children}
    </Dialog>
  )
}
