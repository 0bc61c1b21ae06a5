import { useMutation } from '@tanstack/react-query'

import type { Subscription } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { webhookText } from '../../messages/index.ts'
import { ConfirmByTyping } from '../../ui/ConfirmByTyping.tsx'
import { nameOf } from './names.ts'
import { deleteSubscription } from '../../domain/queries/webhooks.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'

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
  const remove = useMutation(deleteSubscription(subscription.id))
  const name = nameOf(subscription)
  const { error } = remove
  const confirm = async () => {
    try {
      await remove.mutateAsync()
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
      // Somebody else was faster, or an earlier try did more than its answer told.
      if (failure.status !== 404) return
    }
    await onDeleted()
  }
  return (
    <ConfirmByTyping
      title={text.title(name)}
      word={name.length > longestWord ? text.word : name}
      action={text.action}
      onConfirm={() => void confirm()}
      onClose={onClose}
      pending={remove.isPending || remove.isSuccess}
      failure={
        error instanceof ApiError &&
        error.status !== 404 && <InlineFailure error={error} title={text.failed} own={webhookText.failures} />
      }
    >
      {text.body}
    </ConfirmByTyping>
  )
}
