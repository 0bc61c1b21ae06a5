import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod'

import type { Subscription } from '#contract/index.ts'
import { FormFrame, useServiceForm } from '../../domain/writing/service-form.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { rotateSecret } from './queries.ts'
import { webhookFormText, webhookText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { Secret } from './Secret.tsx'

const rotateText = webhookText.rotate
const longestHours = 168

export interface RotateSecretProps {
  readonly subscription: Subscription
  readonly onClose: () => void
}

type NewSecret = Awaited<ReturnType<typeof rotateSecret>>

/** Dialog that asks how long both secrets sign, then shows the new one, which is stored nowhere else. */
export function RotateSecret({ subscription, onClose }: RotateSecretProps) {
  const [secret, setSecret] = useState<NewSecret>()
  if (!secret) return <RotateQuestion subscription={subscription} onClose={onClose} onCreated={setSecret} />
  return (
    <Dialog
      title={rotateText.done}
      actions={<Button onClick={onClose}>{webhookFormText.secret.stored}</Button>}
    >
      <Secret secret={secret.secret} />
      <p>
        {secret.previousSecretUntil == null
          ? rotateText.ended
          : rotateText.until.withElements({
              time: <Timestamp value={secret.previousSecretUntil} mode="minute" focusable />,
            })}
      </p>
    </Dialog>
  )
}

const hoursSchema = z.object({
  hours: z.string().refine((typed) => hoursIn(typed) <= longestHours, rotateText.hoursWrong),
})

function RotateQuestion({
  subscription: { id, previousSecretUntil },
  onClose,
  onCreated,
}: RotateSecretProps & { readonly onCreated: (secret: NewSecret) => void }) {
  const client = useQueryClient()
  const state = useServiceForm({
    schema: hoursSchema,
    initial: { hours: '24' },
    fields: ['hours'],
    onSave: async ({ hours }) => {
      const secret = await rotateSecret(client, id, hoursIn(hours))
      return () => onCreated(secret)
    },
  })
  const { register, formState } = state.form
  return (
    <Dialog title={rotateText.title} {...(!formState.isSubmitting && { onClose })}>
      <FormFrame
        form={state}
        layout="row"
        submit={rotateText.action}
        onCancel={onClose}
        renderProblem={({ error, rest }) => (
          <InlineFailure
            error={error}
            title={rotateText.failed}
            own={{ ...webhookText.failures, lost: rotateText.lost, rest }}
          />
        )}
      >
        <p>{rotateText.body}</p>
        {previousSecretUntil != null && (
          <p>
            {rotateText.already.withElements({
              time: <Timestamp value={previousSecretUntil} mode="minute" focusable />,
            })}
          </p>
        )}
        <TextInput
          label={rotateText.hours}
          description={rotateText.hoursHint}
          {...register('hours')}
          error={formState.errors.hours?.message}
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
        />
      </FormFrame>
    </Dialog>
  )
}

/** Parses a number of hours; NaN if the text is not a number. */
function hoursIn(typed: string): number {
  return /^\s*\d+([.,]\d+)?\s*$/.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN
}
