import type { Subscription } from '#contract/index.ts'
import { webhookText } from '../../messages/index.ts'
import { deleteSubscription } from './queries.ts'
import { DeleteDialog } from '../../domain/writing/DeleteDialog.tsx'
import { nameOf } from '../../domain/webhooks/names.ts'

const text = webhookText.remove
/** A name longer than this is more than anybody should have to type. */
const longestWord = 40

export interface DeleteWebhookProps {
  readonly subscription: Subscription
  /** Gone: leave the page. */
  readonly onDeleted: () => Promise<void>
  readonly onClose: () => void
}

export function DeleteWebhook({ subscription, onDeleted, onClose }: DeleteWebhookProps) {
  const name = nameOf(subscription)
  return (
    <DeleteDialog
      title={text.title(name)}
      word={name.length > longestWord ? text.word : name}
      action={text.action}
      deletion={deleteSubscription(subscription.id)}
      failed={text.failed}
      own={webhookText.failures}
      onDeleted={onDeleted}
      onClose={onClose}
    >
      {text.body}
    </DeleteDialog>
  )
}
