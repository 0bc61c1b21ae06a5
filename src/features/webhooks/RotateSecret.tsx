import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'

import type { Subscription } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { rotateSecret } from './queries.ts'
import { sharedText, webhookFormText, webhookText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { Secret } from './Secret.tsx'

const rotateText = webhookText.rotate
const longestHours = 168

export interface RotateSecretProps {
  readonly subscription: Subscription
  readonly onClose: () => void
}

type Made = Awaited<ReturnType<typeof rotateSecret>>

/** Asks how long both secrets sign, then shows the new one, which no other place holds. */
export function RotateSecret({ subscription, onClose }: RotateSecretProps) {
  const [made, setMade] = useState<Made>()
  if (!made) return <Question subscription={subscription} onClose={onClose} onMade={setMade} />
  return (
    <Dialog
      title={rotateText.done}
      actions={<Button onClick={onClose}>{webhookFormText.secret.stored}</Button>}
    >
      <Secret secret={made.secret} />
      <p>
        {made.previousSecretUntil == null ? (
          rotateText.ended
        ) : (
          <>
            {rotateText.until} <Timestamp value={made.previousSecretUntil} mode="minute" focusable />.
          </>
        )}
      </p>
    </Dialog>
  )
}

function Question({
  subscription: { id, previousSecretUntil },
  onClose,
  onMade,
}: RotateSecretProps & { readonly onMade: (made: Made) => void }) {
  const client = useQueryClient()
  const [typed, setTyped] = useState('24')
  const [isTried, setTried] = useState(false)
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<ApiError>()
  const hours = /^\s*\d+([.,]\d+)?\s*$/.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN
  const isValid = hours <= longestHours

  const rotate = async () => {
    setError(undefined)
    setPending(true)
    try {
      onMade(await rotateSecret(client, id, hours))
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
      setError(failure)
    } finally {
      setPending(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isValid && !isPending) void rotate()
  }

  return (
    <Dialog title={rotateText.title} {...(!isPending && { onClose })}>
      <form noValidate onSubmit={submit}>
        <Stack gap="sm">
          <p>{rotateText.body}</p>
          {previousSecretUntil != null && (
            <p>
              {rotateText.already} <Timestamp value={previousSecretUntil} mode="minute" focusable />.
            </p>
          )}
          <TextInput
            label={rotateText.hours}
            description={rotateText.hoursHint}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={isTried && !isValid && rotateText.hoursWrong}
            inputMode="decimal"
            autoComplete="off"
            data-autofocus
          />
          {error && (
            <InlineFailure
              error={error}
              title={rotateText.failed}
              own={{ ...webhookText.failures, lost: rotateText.lost }}
            />
          )}
          <Group gap="xs" justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isPending}>
              {sharedText.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {rotateText.action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
