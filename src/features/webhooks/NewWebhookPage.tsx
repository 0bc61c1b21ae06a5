import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import type { SubscriptionCreate } from '#contract/index.ts'
import { api } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { nothingToLose, Unsaved } from '../../domain/writing/unsaved.tsx'
import { webhookFormText, webhookText } from '../../messages/index.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { BackLink } from './BackLink.tsx'
import { nameOf } from './names.ts'
import { subscriptionsQuery } from '../../domain/queries/webhooks.ts'
import { Secret } from './Secret.tsx'
import { VerifyCode } from './VerifyCode.tsx'
import { type Content, WebhookForm } from './WebhookForm.tsx'
import classes from './WebhookForm.module.css'

const blank: Content = { url: '', description: '', all: true, types: [], paused: false }

interface Made {
  readonly id: string
  readonly url: string
  readonly secret: string
}

/** A new webhook; then its secret, which is shown here and never again. */
export function NewWebhookPage() {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [made, setMade] = useState<Made>()

  const save = async (content: Content) => {
    const body = bodyOf(content)
    try {
      // Not a mutation: those are kept for a while with what they answered.
      const { id, secret } = await api.createSubscription({ body })
      return () => setMade({ id, secret, url: body.url })
    } finally {
      // A lost answer may hide a success.
      await client.invalidateQueries({ queryKey: subscriptionsQuery().queryKey })
    }
  }
  const back = <BackLink to={links.webhooks()}>{webhookText.title}</BackLink>
  if (!made)
    return (
      <>
        <PageHeader above={back} title={webhookFormText.create.title} />
        <WebhookForm
          start={blank}
          submit={webhookFormText.create.submit}
          failure={webhookFormText.create}
          canStartPaused
          onSave={save}
          onCancel={() => void navigate(links.webhooks())}
        />
      </>
    )
  return (
    <>
      <Unsaved question={webhookFormText.secret.leave} />
      <PageHeader above={back} title={webhookFormText.secret.created(nameOf(made))} />
      <div className={classes.made}>
        <section className={classes.part} ref={focusHeading}>
          <h2 tabIndex={-1}>{webhookFormText.secret.title}</h2>
          <Secret secret={made.secret} />
          <div className={classes.stored}>
            <Button
              onClick={() => void navigate(links.webhook(made.id), { replace: true, state: nothingToLose })}
            >
              {webhookFormText.secret.stored}
            </Button>
          </div>
        </section>
        <VerifyCode />
      </div>
    </>
  )
}

/** The form, with the button that was pressed, is gone. */
function focusHeading(section: HTMLElement | null) {
  section?.querySelector('h2')?.focus()
}

function bodyOf({ url, description, all, types, paused }: Content): SubscriptionCreate {
  return {
    url,
    ...(description.trim() !== '' && { description: description.trim() }),
    ...(!all && { types: types as NonNullable<SubscriptionCreate['types']> }),
    ...(paused && { enabled: false }),
  }
}
