import '@mantine/core/styles/Input.layer.css'

import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import type { Subscription } from '#contract/index.ts'
import { api, ApiError } from '../../api/index.ts'
import { sharedText, webhookFormText, webhookText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { subscriptionQuery } from './queries.ts'
import { Secret } from './Secret.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import classes from './webhook.module.css'

const text = webhookText.rotate
const longestHours = 168

export interface RotateSecretProps {
  readonly subscription: Subscription
  readonly onClose: () => void
}

interface Made {
  readonly secret: string
  readonly previousSecretUntil?: string | null | undefined
}

/** Asks how long both secrets sign, then shows the new one, which no other place holds. */
export function RotateSecret({ subscription, onClose }: RotateSecretProps) {
  const { id, previousSecretUntil } = subscription
  const client = useQueryClient()
  const [typed, setTyped] = useState('24')
  const [isTried, setTried] = useState(false)
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<ApiError>()
  const [made, setMade] = useState<Made>()
  const hours = /^\s*\d+([.,]\d+)?\s*$/.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN
  const isValid = hours <= longestHours

  const rotate = async () => {
    setTried(true)
    if (!isValid || isPending) return
    setError(undefined)
    setPending(true)
    try {
      // Not a mutation: those are kept for a while with what they answered.
      setMade(await api.rotateSecret({ params: { subscription_id: id }, body: { hours } }))
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
      setError(failure)
    } finally {
      setPending(false)
      await client.invalidateQueries({ queryKey: subscriptionQuery(id).queryKey })
    }
  }

  if (made)
    return (
      <Dialog title={text.done} actions={<Button onClick={onClose}>{webhookFormText.secret.stored}</Button>}>
        <Secret secret={made.secret} />
        <p>
          {made.previousSecretUntil === null || made.previousSecretUntil === undefined ? (
            text.ended
          ) : (
            <>
              {text.until} <Timestamp value={made.previousSecretUntil} mode="exact" focusable />.
            </>
          )}
        </p>
      </Dialog>
    )
  return (
    <Dialog title={text.title} {...(!isPending && { onClose })}>
      <form
        noValidate
        className={classes.lines}
        onSubmit={(event) => {
          event.preventDefault()
          void rotate()
        }}
      >
        <p>{text.body}</p>
        {previousSecretUntil !== null && previousSecretUntil !== undefined && (
          <p>
            {text.already} <Timestamp value={previousSecretUntil} mode="exact" focusable />.
          </p>
        )}
        <TextInput
          label={text.hours}
          description={text.hoursHint}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={isTried && !isValid && text.hoursWrong}
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
        />
        {error && (
          <InlineFailure
            error={error}
            title={text.failed}
            own={{ ...webhookText.failures, lost: text.lost }}
          />
        )}
        <div className={classes.buttons}>
          <Button variant="default" onClick={onClose} disabled={isPending}>
            {sharedText.cancel}
          </Button>
          <Button type="submit" loading={isPending}>
            {text.action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
