import { Alert, Button, TextInput } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, use, useMemo, useState } from 'react'

import { maxReason } from '#contract/index.ts'
import { numbersIn } from '#contract/reading/numbers.ts'
import { InlineFailure, type InlineFailureProps } from '../../../domain/failures/InlineFailure.tsx'
import { notation } from '../../../domain/values/draft.ts'
import { Readings } from '../../../domain/values/Readings.tsx'
import { useSubmitLock } from '../../../domain/writing/use-submit-lock.ts'
import { entityText, sharedText, valueText } from '../../../messages/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { isComposing } from '../../../ui/use-pointed.ts'
import type { EntityPath } from '../draft/entity-draft.ts'
import { useLabel } from '../draft/entity-type.ts'
import { type DraftRow, isMasked } from '../draft/row.ts'
import { GivenReasonsContext, RevealContext, useShown } from './reveal.ts'
import { checkValue, revealProperty } from './writes.ts'

const revealingText = entityText.revealing

interface Asking {
  /** Whether an answer was already requested; problems are shown from then on. */
  readonly isTried: boolean
  readonly askByEnter: (event: KeyboardEvent) => void
}

interface AskDialogProps {
  readonly userId: string
  readonly title: string
  /** Consequences of the request, in a sentence. */
  readonly body: string
  readonly action: string
  /** Whether everything but the reason is filled in. */
  readonly isComplete?: boolean
  readonly isPending: boolean
  readonly failure: InlineFailureProps | undefined
  readonly onAsk: (reason: string | undefined) => void
  readonly onClose: () => void
  readonly renderQuestion?: (asking: Asking) => ReactNode
  readonly children?: ReactNode
}

/** Dialog that asks about a sensitive value. The service records it with the reason; the last reason is prefilled. */
function AskDialog(props: AskDialogProps) {
  const { userId, isComplete = true, isPending, failure, renderQuestion, onAsk, onClose } = props
  const needsReason = !renderQuestion
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

// Failure texts of the dialog. A request is invalid only if the property was removed, which `invalid` says.
const revealFailure = {
  ...revealingText.failure,
  missing: entityText.failure.missing,
  busy: (seconds: number | undefined) =>
    seconds === undefined ? revealingText.busy : revealingText.busyFor({ seconds }),
  rest: [],
}

/** A sensitive property, and the reason why it is revealed. */
export interface RevealedFor {
  readonly key: string
  readonly reason: string
}

interface RevealDialogProps<Shown> {
  readonly userId: string
  readonly propertyKey: string
  /** Requests what is revealed. */
  readonly request: UseMutationOptions<Shown, Error, RevealedFor>
  readonly onShow: (shown: Shown) => void
  readonly onClose: () => void
}

/** Dialog that asks for the reason the service requires, then requests the sensitive value. */
export function RevealDialog<Shown>(props: RevealDialogProps<Shown>) {
  const { userId, propertyKey: key, request, onShow, onClose } = props
  const { mutate, isPending, error } = useMutation(request)
  // The service records every reveal, so a double submit must not send two.
  const once = useSubmitLock()
  const label = useLabel()
  return (
    <AskDialog
      userId={userId}
      title={entityText.revealOf({ label: label(key) })}
      body={revealingText.body}
      action={entityText.reveal}
      isPending={isPending}
      failure={error ? { title: revealingText.failed, error, own: revealFailure } : undefined}
      onAsk={(reason = '') => once((free) => mutate({ key, reason }, { onSuccess: onShow, onError: free }))}
      onClose={onClose}
    />
  )
}

export interface RevealableProps {
  readonly place: EntityPath
  readonly children: ReactNode
}

/** Lets one of the properties of an entity be revealed. A value that the service masks is asked for in a dialog. */
export function Revealable({ place: { userId, entityId }, children }: RevealableProps) {
  const { revealed, asking: row, ask, show, hide } = useShown<DraftRow>()
  const revealing = useMemo(() => {
    const reveal = (shown: DraftRow) => {
      if (isMasked(shown)) ask(shown)
      else if (shown.loaded) show(shown.id, shown.loaded)
    }
    return { revealed, reveal, show, hide }
  }, [revealed, ask, show, hide])
  return (
    <RevealContext value={revealing}>
      {children}
      {row && entityId !== undefined && (
        <RevealDialog
          userId={userId}
          propertyKey={(row.loaded ?? row).key}
          request={revealProperty({ userId, entityId })}
          onShow={(property) => show(row.id, property)}
          onClose={hide}
        />
      )}
    </RevealContext>
  )
}

const checkingText = entityText.checking

const checkFailure = {
  ...checkingText.failure,
  busy: (seconds: number | undefined) =>
    seconds === undefined ? checkingText.busy : checkingText.busyFor({ minutes: Math.ceil(seconds / 60) }),
}

interface CheckDialogProps {
  readonly userId: string
  readonly propertyKey: string
  readonly type: string
  readonly onClose: () => void
}

/** Dialog that checks whether a stated value, which goes with the dialog, matches the stored one, which stays hidden. */
export function CheckDialog({ userId, propertyKey: key, type, onClose }: CheckDialogProps) {
  const [said, setSaid] = useState('')
  const label = useLabel()
  const { mutate, reset, isPending, data: matches, error } = useMutation(checkValue(userId))
  // Each check is recorded and checks are limited, so a double submit must not use up two.
  const once = useSubmitLock()
  // The service would read "7.500" as 7.5, but a person may mean 7,500.
  const numbers = type === 'NUMBER' || type === 'DECIMAL' ? numbersIn(said, notation) : []
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
      title={entityText.checkOf({ label: label(key) })}
      body={checkingText.body}
      action={checkingText.action}
      isComplete={value !== '' && !isDoubtful}
      isPending={isPending}
      failure={error ? { title: checkingText.failed, error, own: checkFailure } : undefined}
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
            spellCheck={false}
            value={said}
            onKeyDown={askByEnter}
            onChange={(event) => say(event.currentTarget.value)}
          />
          <div aria-live="polite" data-notes>
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
