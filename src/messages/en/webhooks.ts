import type { disablingReasons } from '#contract/index.ts'
import { counted, number, numberLocale } from '../format.ts'

const percent = new Intl.NumberFormat(numberLocale, { style: 'percent', maximumFractionDigits: 1 })
/** Formats the share of attempts that succeeded. Rounded down, so that a single failure never shows as 100 %. */
const shareOf = (succeeded: number, failed: number) =>
  percent.format(Math.floor((succeeded / (succeeded + failed)) * 1000) / 1000)

const events = (count: number) => counted(count, { one: 'event', other: 'events' })
const attempts = (count: number) => counted(count, { one: 'attempt', other: 'attempts' })

/** Why the service stopped a webhook by itself, and what to do. */
const stopped: Record<(typeof disablingReasons)[number], { readonly title: string; readonly body: string }> =
  {
    gone: {
      title: 'Stopped: the receiver wants no more events',
      body: 'The receiver answered 410 Gone. Ask its owner, or change the address. Then resume, and resend what was missed.',
    },
    exhausted: {
      title: 'Stopped: the receiver kept failing',
      body: 'Deliveries failed for about three days, so we stopped. Fix the receiver, send a test, resume, then resend what was missed.',
    },
  }

/** Texts of the pages of webhooks. */
export const webhookText = {
  title: 'Webhooks',
  newWebhook: 'New webhook',
  columns: {
    url: 'Address',
    types: 'Events',
    state: 'State',
    waiting: 'Waiting',
    lastSuccess: 'Last success',
    lastFailure: 'Last failure',
  },
  empty: {
    title: 'No webhooks yet',
    body: 'A webhook sends every new event, signed, to an address of yours as soon as it happens.',
  },
  allTypes: 'All events',
  states: {
    working: 'Working',
    failing: 'Failing',
    paused: 'Paused',
    stopped: 'Stopped',
    unused: 'Nothing sent yet',
  },
  never: 'Never',
  /** Before the time of the event that has waited longest. */
  oldest: 'oldest',
  /** Meaning of each state, and the next step. */
  notices: {
    failing: {
      title: 'The last attempt failed',
      body: 'Failed deliveries are retried automatically for about three days, less and less often. The attempts below say why they failed.',
      nothingWaits: 'Nothing is waiting for a retry. Fix the receiver, then send a test.',
    },
    paused: {
      title: 'Paused',
      body: 'New events are not queued for a paused webhook. After you resume it, you can resend them.',
    },
    stopped: (reason: string) =>
      (stopped as Readonly<Partial<Record<string, (typeof stopped)['gone']>>>)[reason] ?? {
        title: `Stopped: ${reason}`,
        body: 'We stopped sending. Fix the cause, send a test, resume, then resend what was missed.',
      },
    since: 'Since',
    /** Within a line. */
    sinceInline: 'since',
  },
  detail: {
    id: 'Id',
    copyUrl: 'Copy address',
    description: 'Description',
    types: 'Events',
    waiting: 'Waiting',
    lastSuccess: 'Last success',
    lastFailure: 'Last failure',
    previousSecret: 'Old secret works until',
    created: 'Created',
    updated: 'Changed',
    edit: 'Edit',
    test: 'Send test',
    rotate: 'Replace secret',
    pause: 'Pause',
    resume: 'Resume',
    recover: 'Resend missed events',
    inLog: 'Its events in the log',
    inLogHint: 'Status covers all webhooks.',
    states: { delivered: 'Delivered', waiting: 'Waiting', failed: 'Failed' },
    delete: 'Delete',
  },
  health: {
    title: 'Last 30 days',
    failed: 'Couldn’t load delivery statistics',
    day: ({ day, succeeded, failed }: { day: string; succeeded: number; failed: number }) =>
      succeeded + failed === 0
        ? `${day}: nothing sent`
        : `${day}: ${number(succeeded)} arrived, ${attempts(failed)} failed`,
    sentence: ({ succeeded, failed }: { succeeded: number; failed: number }) =>
      succeeded + failed === 0
        ? 'Nothing was sent in the last 30 days.'
        : `${shareOf(succeeded, failed)} of ${attempts(succeeded + failed)} succeeded.`,
    answers: ({ half, most }: { half: string; most: string }) =>
      `Half of the answers came within ${half}, 95% within ${most}.`,
    asTable: 'As a table',
    columns: { day: 'Day (UTC)', succeeded: 'Arrived', failed: 'Failed' },
  },
  attempts: {
    title: 'Recent attempts',
    label: 'Recent delivery attempts',
    outcomes: { any: 'All', arrived: 'Arrived', failed: 'Failed' },
    all: (count: number) => `Show all ${attempts(count)}`,
    empty: 'Nothing sent yet',
    emptyBody: 'Events are sent as they happen. Send a test to check the receiver.',
    failed: 'Couldn’t load the attempts',
    columns: { time: 'Time', event: 'Event', number: 'Attempt', outcome: 'Outcome', latency: 'Took' },
  },
  testing: {
    sending: 'Sending the test…',
    arrived: 'The test arrived',
    failed: 'The test did not arrive',
    after: (took: string) => `after ${took}`,
    once: 'Tests are not retried.',
    slow: 'No attempt yet. The test is still queued; its attempt will appear below.',
    unsent: 'The test was not sent',
    running: 'A test is already on its way.',
    event: 'View the event',
  },
  pause: {
    title: (name: string) => `Pause ${name}?`,
    body: 'Sending stops, and events that happen during the pause are not queued. After you resume, you can resend them.',
    waiting: (count: number) =>
      `${counted(count, { one: 'event is waiting and is', other: 'events are waiting and are' })} sent after you resume.`,
    action: 'Pause webhook',
    paused: (name: string) => `${name} paused`,
    failed: 'Couldn’t pause the webhook',
  },
  resume: {
    resumed: (name: string) => `${name} resumed`,
    failed: 'The webhook was not resumed',
    missed: (count: number) => `${counted(count, { one: 'event was', other: 'events were' })} missed`,
    missedBody: 'You can resend them now. Events that have arrived are not sent again.',
    recover: 'Resend them',
    later: 'Not now',
  },
  remove: {
    title: (name: string) => `Delete ${name}?`,
    body: 'Nothing more is sent to this address, waiting events are dropped, and its secret stops working. The events stay in the log.',
    action: 'Delete webhook',
    word: 'delete',
    deleted: (name: string) => `${name} deleted`,
    failed: 'The webhook was not deleted',
  },
  rotate: {
    title: 'Replace the signing secret?',
    body: 'The new secret works at once and is shown only once. Let the old one keep working until the receiver has the new one: deliveries then carry both signatures.',
    hours: 'Hours that the old secret keeps working',
    hoursHint: '0 to 168. After a leak choose 0: the old secret stops working at once.',
    hoursWrong: 'Enter a number from 0 to 168.',
    action: 'Create new secret',
    done: 'New signing secret',
    /** Before a time. */
    until: 'The old secret also works until',
    ended: 'The old secret no longer works.',
    /** Before a time. */
    already:
      'A secret is already being replaced. If you continue, the one before it stops working now. Otherwise it works until',
    failed: 'The secret was not replaced',
    lost: {
      title: 'The secret may have been replaced',
      body: 'No answer came from the service. If the secret was replaced, nobody has seen the new one: replace it again, and give it to the receiver at once.',
    },
  },
  recover: {
    title: 'Resend missed events',
    about: 'Resends the events of a period that this webhook should have received and has not.',
    since: 'From',
    until: 'To',
    untilHint: 'Leave empty to use the current time.',
    zone: 'Times are in UTC.',
    wrong: (example: string) => `Enter a valid date and time, such as ${example}.`,
    missing: 'Enter a time.',
    reversed: 'The end must be after the start.',
    counting: 'Counting…',
    none: 'This webhook missed nothing in this period.',
    count: (count: number) => `${events(count)} would be sent.`,
    uncounted: 'Couldn’t count the events',
    send: (count: number | undefined) => (count === undefined ? 'Send events' : `Send ${events(count)}`),
    disabled: 'Resume the webhook first. Nothing is sent while it is off.',
    notCounted: 'Enter a period first.',
    nothing: 'There is nothing to send.',
    failed: 'The events were not sent',
    lost: {
      title: 'The events may be on their way',
      body: 'No answer came from the service. You can safely send them once more: events that have arrived are not sent again.',
    },
    queued: (count: number) => `${events(count)} queued`,
    progress: ({ done, total }: { done: number; total: number }) =>
      `${number(done)} of ${number(total)} resent`,
    goesOn: 'You can leave this page. Sending continues in the background.',
    done: 'All events were sent.',
    stuck: 'The receiver failed. Events that did not arrive are retried automatically.',
    stopped: 'Sending stopped because the webhook was paused or stopped.',
    show: 'View webhook',
    again: 'Resend another period',
  },
  failures: {
    lost: {
      title: 'The change may have been made',
      body: 'No answer came from the service. Check the webhook before you try again.',
    },
    missing: { body: 'This webhook was deleted.' },
    back: 'All webhooks',
  },
}

/** Texts of making and changing a webhook, and of its secret. */
export const webhookFormText = {
  create: {
    title: 'New webhook',
    submit: 'Create webhook',
    failed: 'The webhook was not created',
    lost: {
      title: 'The webhook may have been created',
      body: 'No answer came from the service. Check the list before you try again; what you typed is still here. If the webhook was created, replace its secret: nobody has seen it.',
    },
  },
  edit: {
    title: (name: string) => `Edit ${name}`,
    submit: 'Save webhook',
    saved: (name: string) => `${name} saved`,
    unchanged: 'Nothing changed',
    failed: 'The webhook was not saved',
    lost: {
      title: 'The webhook may have been saved',
      body: 'No answer came from the service. What you typed is still here, and you can safely save it again.',
    },
  },
  url: 'Address',
  urlHint: 'HTTPS, on the internet. Events arrive by POST; redirects are not followed.',
  urlPlaceholder: 'e.g. https://example.org/hooks',
  urlMissing: 'Enter the whole address, such as https://example.org/hooks.',
  description: 'Description',
  descriptionHint: 'Purpose of the webhook, and who runs the receiver.',
  types: 'Events',
  all: 'All events',
  allHint: 'Including types that later versions add.',
  some: 'Only these',
  noType: 'Choose at least one type of event.',
  paused: 'Start paused',
  pausedHint: 'Until the receiver has the secret. You can resend the events of that time later.',
  kept: 'What you typed is still here.',

  secret: {
    created: (name: string) => `${name} created`,
    title: 'Signing secret',
    once: 'The secret is shown only now. Store it where the receiver reads its secrets. A lost secret can only be replaced.',
    label: 'Signing secret',
    copy: 'Copy signing secret',
    stored: 'I have stored it',
    leave: {
      title: 'Leave without the secret?',
      body: 'The secret is not shown again. Without it the receiver can’t tell that events come from here, and you would have to replace it.',
      stay: 'Stay here',
      leave: 'Leave without it',
    },
  },
  verify: {
    title: 'Verify signatures in the receiver',
    about:
      'Deliveries are signed by Standard Webhooks, which has libraries for most languages. Answer 2xx within 15 seconds. The same event can arrive twice: use the webhook-id header to skip duplicates.',
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
    } satisfies Record<'node' | 'python', string>,
  },
}
