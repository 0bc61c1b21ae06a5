/** Texts of making and changing a webhook, and of its secret. */
export const webhookForm = {
  create: {
    title: 'New webhook',
    submit: 'Create webhook',
    failed: 'The webhook was not created',
    lost: {
      title: 'It is not known whether the webhook was created',
      body: 'No answer came from the service. Look at the list before you try again; what you typed is still here. If it was created, replace its secret: nobody has seen it.',
    },
  },
  edit: {
    title: (name: string) => `Edit ${name}`,
    submit: 'Save webhook',
    saved: (name: string) => `${name} is saved.`,
    unchanged: 'Nothing was changed.',
    failed: 'The webhook was not saved',
    lost: {
      title: 'It is not known whether the webhook was saved',
      body: 'No answer came from the service. What you typed is still here; saving once more does no harm.',
    },
  },
  url: 'Address',
  urlHint: 'HTTPS, on the internet. Events are sent there by POST; redirects are not followed.',
  urlPlaceholder: 'https://example.org/hooks',
  urlMissing: 'Give the whole address, such as https://example.org/hooks.',
  description: 'Description',
  descriptionHint: 'What it is for and who runs it.',
  types: 'Events',
  all: 'All events',
  allHint: 'Those of later versions too.',
  some: 'Only these',
  noType: 'Choose at least one type of event.',
  paused: 'Start paused',
  pausedHint: 'Until the receiver has the secret. What happens meanwhile can be recovered.',
  kept: 'What you typed is still here.',

  secret: {
    created: (name: string) => `${name} is created`,
    title: 'The signing secret',
    once: 'It is shown only now. Store it where the receiver reads its secrets; lost, it can only be replaced.',
    label: 'Signing secret',
    copy: 'Copy signing secret',
    stored: 'I have stored it',
    leave: {
      title: 'Leave without the secret?',
      body: 'It is not shown again. Without it the receiver cannot tell that events come from here; you would have to replace it.',
      stay: 'Stay here',
      leave: 'Leave without it',
    },
  },
  verify: {
    title: 'Verify it in the receiver',
    about:
      'Deliveries are signed by Standard Webhooks: libraries exist for most languages. Answer 2xx within 15 seconds, and do not mind an event that comes twice: its id, in webhook-id, stays the same.',
    language: 'Language',
    languages: { node: 'Node.js', python: 'Python' },
    copy: 'Copy code',
    code: {
      node: `import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks' // npm install standardwebhooks

const webhook = new Webhook(process.env.WEBHOOK_SECRET)

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  try {
    // Throws for a forged, an altered and an old one.
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
        # Raises for a forged, an altered and an old one.
        event = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "", 401
    print(request.headers["webhook-id"], event["type"], event["timestamp"], event["data"])
    return "", 204
`,
    } satisfies Record<'node' | 'python', string>,
  },
}
