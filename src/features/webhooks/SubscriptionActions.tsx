import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import * as z from 'zod'

import type { Subscription } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { describe } from '../../domain/failures/describe-failure.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { subscriptionName } from '../../domain/webhooks/names.ts'
import { DeleteDialog } from '../../domain/writing/DeleteDialog.tsx'
import { FormFrame, useServiceForm } from '../../domain/writing/service-form.tsx'
import { sharedText, webhookFormText, webhookText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { showToast } from '../../ui/toast.tsx'
import { deleteSubscription, patchSubscription, rotateSecret, testSubscription } from './queries.ts'
import { Secret } from './Secret.tsx'

/** Longest name that has to be typed to delete a webhook, in characters. */
const longestWord = 40

export interface SubscriptionActionsProps {
  readonly subscription: Subscription
  readonly isTesting: boolean
  /** Called with the id of the test event once it was sent. */
  readonly onTest: (event: string) => void
  readonly onPause: () => void
  readonly onResume: () => void
  readonly onDeleted: () => Promise<void>
}

export function SubscriptionActions(props: SubscriptionActionsProps) {
  const { subscription, isTesting, onTest, onPause, onResume, onDeleted } = props
  const { id, enabled } = subscription
  const name = subscriptionName(subscription)
  const [open, setOpen] = useState<'delete' | 'pause' | 'rotate'>()
  const close = () => setOpen(undefined)
  const resume = useMutation({ ...patchSubscription(id), onError: failureToast(webhookText.resume.failed) })
  const test = useMutation({ ...testSubscription(id), onError: failureToast(webhookText.testing.unsent) })
  return (
    <>
      <Button variant="default" onClick={() => setOpen('delete')}>
        {webhookText.detail.delete}
      </Button>
      <Button variant="default" onClick={() => setOpen('rotate')}>
        {webhookText.detail.rotate}
      </Button>
      <Button variant="default" component={Link} to={links.editWebhook(id)}>
        {webhookText.detail.edit}
      </Button>
      {enabled ? (
        <Button variant="default" onClick={() => setOpen('pause')}>
          {webhookText.detail.pause}
        </Button>
      ) : (
        <Button
          variant="default"
          loading={resume.isPending}
          onClick={() =>
            resume.mutate(
              { enabled: true },
              {
                onSuccess: () => {
                  onResume()
                  showToast({ message: webhookText.resume.resumed({ name }) })
                },
              },
            )
          }
        >
          {webhookText.detail.resume}
        </Button>
      )}
      <DisabledReason reason={isTesting ? webhookText.testing.running : undefined}>
        <Button loading={test.isPending} onClick={() => test.mutate(undefined, { onSuccess: onTest })}>
          {webhookText.detail.test}
        </Button>
      </DisabledReason>
      {open === 'delete' && (
        <DeleteDialog
          title={webhookText.remove.title({ name })}
          word={name.length > longestWord ? webhookText.remove.word : name}
          action={webhookText.remove.action}
          deletion={deleteSubscription(id)}
          failed={webhookText.remove.failed}
          own={webhookText.failures}
          onDeleted={onDeleted}
          onClose={close}
        >
          {webhookText.remove.body}
        </DeleteDialog>
      )}
      {open === 'pause' && <PauseDialog subscription={subscription} onPaused={onPause} onClose={close} />}
      {open === 'rotate' && <RotateSecret subscription={subscription} onClose={close} />}
    </>
  )
}

function failureToast(failure: string) {
  return (error: Error) => {
    showToast({
      tone: 'failure',
      message: webhookText.failures.because({ failure, reason: describe(error, webhookText.failures) }),
      requestId: error instanceof ApiError ? error.requestId : undefined,
    })
  }
}

const pauseWebhookText = webhookText.pause

interface PauseDialogProps {
  readonly subscription: Subscription
  readonly onPaused: () => void
  readonly onClose: () => void
}

function PauseDialog({ subscription, onPaused, onClose }: PauseDialogProps) {
  const pause = useMutation(patchSubscription(subscription.id))
  const name = subscriptionName(subscription)
  const { error } = pause
  return (
    <Dialog
      title={pauseWebhookText.title({ name })}
      onClose={onClose}
      back={sharedText.cancel}
      isBusy={pause.isPending}
      actions={
        <Button
          data-autofocus
          loading={pause.isPending}
          onClick={() =>
            pause.mutate(
              { enabled: false },
              {
                onSuccess: () => {
                  onPaused()
                  onClose()
                  showToast({ message: pauseWebhookText.paused({ name }) })
                },
              },
            )
          }
        >
          {pauseWebhookText.action}
        </Button>
      }
    >
      <p>{pauseWebhookText.body}</p>
      {subscription.waiting > 0 && <p>{pauseWebhookText.waiting({ count: subscription.waiting })}</p>}
      {error && <InlineFailure error={error} title={pauseWebhookText.failed} own={webhookText.failures} />}
    </Dialog>
  )
}

const rotateText = webhookText.rotate
const longestHours = 168

const hoursSchema = z.object({
  hours: z.string().refine((typed) => hoursIn(typed) <= longestHours, rotateText.hoursWrong),
})

interface RotateSecretProps {
  readonly subscription: Subscription
  readonly onClose: () => void
}

/** Dialog that asks how long both secrets sign, then shows the new one, which cannot be shown again. */
function RotateSecret({ subscription: { id, previousSecretUntil }, onClose }: RotateSecretProps) {
  const client = useQueryClient()
  const [rotated, setRotated] = useState<Awaited<ReturnType<typeof rotateSecret>>>()
  const state = useServiceForm({
    schema: hoursSchema,
    initial: { hours: '24' },
    fields: ['hours'],
    onSave: async ({ hours }) => {
      const answer = await rotateSecret(client, id, hoursIn(hours))
      return () => setRotated(answer)
    },
  })
  const { register, formState } = state.form
  // A second dialog of its own, whose opening moves the focus.
  if (rotated)
    return (
      <Dialog
        key="rotated"
        title={rotateText.done}
        actions={<Button onClick={onClose}>{webhookFormText.secret.stored}</Button>}
      >
        <Secret secret={rotated.secret} />
        <p>
          {rotated.previousSecretUntil == null
            ? rotateText.ended
            : rotateText.until.withElements({
                time: <Timestamp value={rotated.previousSecretUntil} mode="minute" focusable />,
              })}
        </p>
      </Dialog>
    )
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
          data-autofocus
        />
      </FormFrame>
    </Dialog>
  )
}

function hoursIn(typed: string): number {
  return /^\s*\d+([.,]\d+)?\s*$/.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN
}
