import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import type { Subscription } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { webhookText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { describe } from '../../domain/failures/describe.ts'
import { showToast } from '../../ui/toast.tsx'
import { nameOf } from '../../domain/webhooks/names.ts'
import { patchSubscription, testSubscription } from './queries.ts'
import { DeleteWebhook } from './DeleteWebhook.tsx'
import { PauseWebhook } from './PauseWebhook.tsx'
import { RotateSecret } from './RotateSecret.tsx'

export interface WebhookActionsProps {
  readonly subscription: Subscription
  readonly isTesting: boolean
  /** A test event is on its way. */
  readonly onTest: (event: string) => void
  readonly onPause: () => void
  readonly onResume: () => void
  readonly onDeleted: () => Promise<void>
}

export function WebhookActions(props: WebhookActionsProps) {
  const { subscription, isTesting, onTest, onPause, onResume, onDeleted } = props
  const { id, enabled } = subscription
  const name = nameOf(subscription)
  const [open, setOpen] = useState<'delete' | 'pause' | 'rotate'>()
  const close = () => setOpen(undefined)
  const resume = useMutation({ ...patchSubscription(id), onError: failed(webhookText.resume.failed) })
  const test = useMutation({ ...testSubscription(id), onError: failed(webhookText.testing.unsent) })
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
                  showToast({ message: webhookText.resume.resumed(name) })
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

function failed(message: string) {
  return (error: Error) => {
    showToast({
      tone: 'failure',
      message: `${message}. ${describe(error, webhookText.failures)}`,
      requestId: error instanceof ApiError ? error.requestId : undefined,
    })
  }
}
