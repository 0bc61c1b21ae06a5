import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'

import type { Subscription, SubscriptionPatch } from '#contract/index.ts'
import { q } from '../../api/index.ts'
import { BackLink } from '../../domain/BackLink.tsx'
import { links } from '../../domain/links.ts'
import { subscriptionName } from '../../domain/webhooks/names.ts'
import { webhookFormText } from '../../messages/index.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { showToast } from '../../ui/toast.tsx'
import { patchSubscription } from './queries.ts'
import { type SubscriptionContent, SubscriptionForm } from './SubscriptionForm.tsx'

const editText = webhookFormText.edit

export function EditWebhookPage() {
  const { subscriptionId = '' } = useParams()
  return <EditSubscription key={subscriptionId} id={subscriptionId} />
}

function EditSubscription({ id }: { readonly id: string }) {
  const navigate = useNavigate()
  const patch = useMutation(patchSubscription(id))
  const { data } = useSuspenseQuery(q('getSubscription', { params: { subscription_id: id } }))
  // The form keeps its initial state: later reads do not reach it, and the edit is compared with that state.
  const [start] = useState(() => toContent(data))
  const name = subscriptionName(start)

  const save = async (content: SubscriptionContent) => {
    const change = toPatch(start, content)
    const isChanged = Object.keys(change).length > 0
    if (isChanged) await patch.mutateAsync(change)
    return () => {
      showToast({
        message: isChanged ? editText.saved({ name: subscriptionName(content) }) : editText.unchanged,
      })
      void navigate(links.webhook(id), { replace: true })
    }
  }
  return (
    <>
      <PageHeader
        above={<BackLink to={links.webhook(id)}>{name}</BackLink>}
        title={editText.title({ name })}
      />
      <SubscriptionForm
        start={start}
        words={editText}
        onSave={save}
        onCancel={() => void navigate(links.webhook(id))}
      />
    </>
  )
}

function toContent({ url, description, types }: Subscription): SubscriptionContent {
  return { url, description: description ?? '', all: !types, types: types ?? [], paused: false }
}

/** Returns only the changed members, because somebody else may have changed the others. */
function toPatch(
  start: SubscriptionContent,
  { url, description, all, types }: SubscriptionContent,
): SubscriptionPatch {
  const isOtherTypes = all !== start.all || (!all && types.join() !== start.types.join())
  return {
    ...(url !== start.url && { url }),
    ...(description.trim() !== start.description && { description: description.trim() || null }),
    // This console may not know event types of a newer service, so the service validates them.
    ...(isOtherTypes && { types: all ? null : (types as NonNullable<SubscriptionPatch['types']>) }),
  }
}
