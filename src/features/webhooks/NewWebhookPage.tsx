import { Box, Button, Code, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import type { SubscriptionCreate } from '#contract/index.ts'
import { BackLink } from '../../domain/BackLink.tsx'
import { links } from '../../domain/links.ts'
import { subscriptionName } from '../../domain/webhooks/names.ts'
import { nothingToLose, Unsaved } from '../../domain/writing/unsaved.tsx'
import { webhookFormText, webhookText } from '../../messages/index.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { createSubscription } from './queries.ts'
import { Secret } from './Secret.tsx'
import { type SubscriptionContent, SubscriptionForm } from './SubscriptionForm.tsx'

const blankSubscription: SubscriptionContent = {
  url: '',
  description: '',
  all: true,
  types: [],
  paused: false,
}

/** Page that creates a webhook and then shows its secret, which cannot be shown again. */
export function NewWebhookPage() {
  const navigate = useNavigate()
  const client = useQueryClient()
  const [subscription, setSubscription] = useState<Record<'id' | 'url' | 'secret', string>>()

  const save = async (content: SubscriptionContent) => {
    const body = toCreateBody(content)
    const { id, secret } = await createSubscription(client, body)
    return () => setSubscription({ id, secret, url: body.url })
  }
  const back = <BackLink to={links.webhooks()}>{webhookText.title}</BackLink>
  if (!subscription)
    return (
      <>
        <PageHeader above={back} title={webhookFormText.create.title} />
        <SubscriptionForm
          start={blankSubscription}
          words={webhookFormText.create}
          canStartPaused
          onSave={save}
          onCancel={() => void navigate(links.webhooks())}
        />
      </>
    )
  return (
    <>
      <Unsaved question={webhookFormText.secret.leave} />
      <PageHeader
        above={back}
        title={webhookFormText.secret.created({ name: subscriptionName(subscription) })}
      />
      <Stack gap="xl" maw={720} pb="xl">
        <Stack component="section" gap="sm" ref={focusHeading}>
          <h2 tabIndex={-1}>{webhookFormText.secret.title}</h2>
          <Secret secret={subscription.secret} />
          <Button
            me="auto"
            onClick={() =>
              void navigate(links.webhook(subscription.id), { replace: true, state: nothingToLose })
            }
          >
            {webhookFormText.secret.stored}
          </Button>
        </Stack>
        <VerifyCode />
      </Stack>
    </>
  )
}

/** Moves the focus to the heading, because the pressed button disappears with the form. */
function focusHeading(section: HTMLElement | null) {
  section?.querySelector('h2')?.focus()
}

function toCreateBody({ url, description, all, types, paused }: SubscriptionContent): SubscriptionCreate {
  return {
    url,
    ...(description.trim() !== '' && { description: description.trim() }),
    ...(!all && { types: types as NonNullable<SubscriptionCreate['types']> }),
    ...(paused && { enabled: false }),
  }
}

const verifyText = webhookFormText.verify
type Language = keyof typeof verifyPrograms
const languages = Object.entries(verifyText.languages).map(([value, label]) => ({
  value: value as Language,
  label,
}))

function VerifyCode() {
  const [language, setLanguage] = useState<Language>('node')
  const code = verifyPrograms[language]
  return (
    <Stack component="section" gap="sm">
      <Group justify="space-between" gap="8px 12px">
        <h2>{verifyText.title}</h2>
        <SegmentedControl
          aria-label={verifyText.language}
          data={languages}
          value={language}
          onChange={setLanguage}
        />
      </Group>
      <Text size="sm" c="dimmed" textWrap="pretty">
        {verifyText.about}
      </Text>
      <Box pos="relative">
        {/* Focusable, because a scrollable region must be reachable by keyboard. */}
        <Code block tabIndex={0} p="sm" bg="var(--ds-surface)" bd="1px solid var(--ds-border)" bdrs="md">
          <code>{code}</code>
        </Code>
        <Box pos="absolute" top={8} right={8} bg="var(--ds-surface)">
          <CopyButton value={code} label={verifyText.copy} />
        </Box>
      </Box>
    </Stack>
  )
}

const verifyPrograms = {
  node: `import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks' // npm install standardwebhooks

const webhook = new Webhook(process.env.WEBHOOK_SECRET)

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  try {
    // Throws if the delivery is forged, altered or old.
    const { type, timestamp, data } = webhook.verify(body, request.headers)
    console.log(request.headers['webhook-id'], type, timestamp, data)
    response.writeHead(204).end()
  } catch {
    response.writeHead(401).end()
  }
})

server.listen(process.env.PORT ?? 3000)
`,
  python: `import os
from flask import Flask, request  # pip install flask standardwebhooks
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])

@app.post("/hooks")
def hooks():
    try:
        # Raises if the delivery is forged, altered or old.
        event = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "", 401
    print(request.headers["webhook-id"], event["type"], event["timestamp"], event["data"])
    return "", 204
`,
}
