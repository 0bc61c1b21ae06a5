import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import type { Subscription } from '#contract/index.ts'
import { sharedText, webhookText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { showToast } from '../../ui/toast.tsx'
import { nameOf } from '../../domain/webhooks/names.ts'
import { patchSubscription } from './queries.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'

const text = webhookText.pause

export interface PauseWebhookProps {
  readonly subscription: Subscription
  readonly onPaused: () => void
  readonly onClose: () => void
}

export function PauseWebhook({ subscription, onPaused, onClose }: PauseWebhookProps) {
  const pause = useMutation(patchSubscription(subscription.id))
  const name = nameOf(subscription)
  const { error } = pause
  return (
    <Dialog
      title={text.title(name)}
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
                    showToast({ message: text.paused(name) })
                  },
                },
              )
            }
          >
            {text.action}
          </Button>
        </>
      }
    >
      <p>{text.body}</p>
      {subscription.waiting > 0 && <p>{text.waiting(subscription.waiting)}</p>}
      {error && <InlineFailure error={error} title={text.failed} own={webhookText.failures} />}
    </Dialog>
  )
}
