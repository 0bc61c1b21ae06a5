import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import type { Subscription } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { sharedText, webhookText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { describe } from '../../domain/failures/describe.ts'
import { showToast } from '../../ui/toast.tsx'
import { webhookName } from '../../domain/webhooks/names.ts'
import { deleteSubscription, patchSubscription, testSubscription } from './queries.ts'
import { RotateSecret } from './RotateSecret.tsx'
import { DeleteDialog } from '../../domain/writing/DeleteDialog.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'

export interface WebhookActionsProps {
  readonly subscription: Subscription
  readonly isTesting: boolean
  /** Called with the id of the test event once it was sent. */
  readonly onTest: (event: string) => void
  readonly onPause: () => void
  readonly onResume: () => void
  readonly onDeleted: () => Promise<void>
}

export function WebhookActions(props: WebhookActionsProps) {
  const { subscription, isTesting, onTest, onPause, onResume, onDeleted } = props
  const { id, enabled } = subscription
  const name = webhookName(subscription)
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
        <DeleteWebhook subscription={subscription} onDeleted={onDeleted} onClose={close} />
      )}
      {open === 'pause' && <PauseWebhook subscription={subscription} onPaused={onPause} onClose={close} />}
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

const deleteWebhookText = webhookText.remove
/** Longest name that has to be typed to delete a webhook, in characters. */
const longestWord = 40

interface DeleteWebhookProps {
  readonly subscription: Subscription
  readonly onDeleted: () => Promise<void>
  readonly onClose: () => void
}

function DeleteWebhook({ subscription, onDeleted, onClose }: DeleteWebhookProps) {
  const name = webhookName(subscription)
  return (
    <DeleteDialog
      title={deleteWebhookText.title({ name })}
      word={name.length > longestWord ? deleteWebhookText.word : name}
      action={deleteWebhookText.action}
      deletion={deleteSubscription(subscription.id)}
      failed={deleteWebhookText.failed}
      own={webhookText.failures}
      onDeleted={onDeleted}
      onClose={onClose}
    >
      {deleteWebhookText.body}
    </DeleteDialog>
  )
}

const pauseWebhookText = webhookText.pause

interface PauseWebhookProps {
  readonly subscription: Subscription
  readonly onPaused: () => void
  readonly onClose: () => void
}

function PauseWebhook({ subscription, onPaused, onClose }: PauseWebhookProps) {
  const pause = useMutation(patchSubscription(subscription.id))
  const name = webhookName(subscription)
  const { error } = pause
  return (
    <Dialog
      title={pauseWebhookText.title({ name })}
      {...(!pause.isPending && { onClose })}
      actions={
        <>
          <Button variant="default" onClick={onClose} disabled={pause.isPending}>
            {sharedText.cancel}
          </Button>
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
        </>
      }
    >
      <p>{pauseWebhookText.body}</p>
      {subscription.waiting > 0 && <p>{pauseWebhookText.waiting({ count: subscription.waiting })}</p>}
      {error && <InlineFailure error={error} title={pauseWebhookText.failed} own={webhookText.failures} />}
    </Dialog>
  )
}
