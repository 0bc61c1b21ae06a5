import type { disablingReasons } from '#contract/index.ts'
import { counted, number, numberLocale } from '../format.ts'

const percent = new Intl.NumberFormat(numberLocale, { style: 'percent', maximumFractionDigits: 1 })
/** Formats the share of deliveries that succeeded. Rounded down, so that a single failure never shows as 100 %. */
const shareOf = (succeeded: number, failed: number) =>
  percent.format(Math.floor((succeeded / (succeeded + failed)) * 1000) / 1000)

const event = { one: 'event', other: 'events' }

/** Why the service stopped a webhook by itself, and what to do. */
const stopped: Record<(typeof disablingReasons)[number], { readonly title: string; readonly body: string }> =
  {
    gone: {
      title: 'Stopped: the receiver wants no more events',
      body: 'It answered 410 Gone. Ask whoever runs it, or give another address; then resume, and recover what was missed.',
    },
    exhausted: {
      title: 'Stopped: the receiver failed too long',
      body: 'All tries of an event, about ten over three days, were used up. Put the receiver right and send a test; then resume, and recover what was missed.',
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
    lastSuccess: 'Last arrived',
    lastFailure: 'Last failed',
  },
  empty: {
    title: 'No webhooks yet',
    body: 'A webhook is an address of yours that every new event is sent to, signed, as soon as it happens.',
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
  waitingSince: 'the oldest from',
  /** Meaning of each state, and the next step. */
  notices: {
    failing: {
      title: 'The last try failed',
      body: 'What did not arrive is tried again by itself, ever less often, for about three days. The tries below say why.',
      nothingWaits: 'Nothing waits to be tried again. Put the receiver right, then send a test.',
    },
    paused: {
      title: 'Paused',
      body: 'Events that happen now are not queued for it. After you resume, you can recover them.',
    },
    stopped: (reason: string) =>
      (stopped as Readonly<Partial<Record<string, (typeof stopped)['gone']>>>)[reason] ?? {
        title: `Stopped: ${reason}`,
        body: 'The service stopped it by itself. Put the cause right and send a test; then resume, and recover what was missed.',
      },
    since: 'Since',
  },
  detail: {
    id: 'Id',
    copyUrl: 'Copy address',
    description: 'Description',
    types: 'Events',
    waiting: 'Waiting',
    lastSuccess: 'Last arrived',
    lastFailure: 'Last failed',
    previousSecret: 'Old secret signs until',
    created: 'Created',
    updated: 'Changed',
    edit: 'Edit',
    test: 'Send test',
    rotate: 'Replace secret',
    pause: 'Pause',
    resume: 'Resume',
    recover: 'Recover events',
    inLog: 'Its events in the log',
    inLogHint: 'As they stand with all webhooks that they are for.',
    states: { delivered: 'Delivered', waiting: 'Waiting', failed: 'Failed' },
    delete: 'Delete',
  },
  health: {
    title: 'The last 30 days',
    failed: 'How it fared could not be loaded',
    day: (day: string, succeeded: number, failed: number) =>
      succeeded + failed === 0
        ? `${day}: nothing was sent`
        : `${day}: ${number(succeeded)} arrived, ${counted(failed, { one: 'try', other: 'tries' })} failed`,
    sentence: (succeeded: number, failed: number) =>
      succeeded + failed === 0
        ? 'Nothing was sent in these days.'
        : `${shareOf(succeeded, failed)} of ${counted(succeeded + failed, { one: 'try', other: 'tries' })} arrived.`,
    answers: (half: string, most: string) =>
      `Half of the answers came within ${half}, 95 in 100 within ${most}.`,
    asTable: 'As a table',
    columns: { day: 'Day (UTC)', succeeded: 'Arrived', failed: 'Failed' },
  },
  attempts: {
    title: 'Last tries',
    label: 'Last tries of deliveries',
    outcomes: { any: 'All', arrived: 'Arrived', failed: 'Failed' },
    all: (count: number) => `Show all ${number(count)}`,
    empty: 'Nothing was sent yet',
    emptyBody: 'Events are sent as they happen. Send a test to see whether the receiver takes them.',
    failed: 'The tries could not be loaded',
    columns: { time: 'Time', event: 'Event', number: 'Try', outcome: 'Outcome', latency: 'Took' },
  },
  testing: {
    sending: 'The test event is on its way…',
    arrived: 'The test arrived',
    failed: 'The test did not arrive',
    after: (took: string) => `after ${took}`,
    once: 'A test is tried only once.',
    slow: 'No try has been made yet. It goes on by itself: the tries below will show it.',
    unsent: 'The test was not sent',
    running: 'A test is on its way.',
    event: 'Show the event',
  },
  pause: {
    title: (name: string) => `Pause ${name}?`,
    body: 'Nothing is sent any more. Events that happen while it is paused are not queued: after you resume, you can recover them.',
    waiting: (count: number) =>
      `${counted(count, { one: 'event waits', other: 'events wait' })} now, and go on waiting until you resume.`,
    action: 'Pause webhook',
    paused: (name: string) => `${name} is paused.`,
    failed: 'The webhook was not paused',
  },
  resume: {
    resumed: (name: string) => `${name} is resumed.`,
    failed: 'The webhook was not resumed',
    missed: (count: number) =>
      `${counted(count, { one: 'event', other: 'events' })} that happened meanwhile ${count === 1 ? 'was' : 'were'} not sent`,
    missedBody: 'They can be sent now. The receiver knows by their ids what it has already.',
    recover: 'Recover them',
    later: 'Not now',
  },
  remove: {
    title: (name: string) => `Delete ${name}?`,
    body: 'No more events are sent there, those that wait are dropped, and its secret signs nothing any more. The events themselves stay.',
    action: 'Delete webhook',
    word: 'delete',
    deleted: (name: string) => `${name} is deleted.`,
    failed: 'The webhook was not deleted',
  },
  rotate: {
    title: 'Replace the signing secret?',
    body: 'A new secret signs from now on, and is shown once. Until the receiver has it, let the old one sign too: every delivery then carries both signatures.',
    hours: 'Hours that the old secret signs too',
    hoursHint: '0 to 168. With 0 it ends at once, as after a leak.',
    hoursWrong: 'Give a number of hours from 0 to 168.',
    action: 'Make a new secret',
    done: 'The new signing secret',
    until: 'The old one signs too until',
    ended: 'The old one signs nothing any more.',
    already:
      'A secret is being replaced already: the one before it signs nothing any more if you go on. It would have signed until',
    failed: 'The secret was not replaced',
    lost: {
      title: 'It is not known whether the secret was replaced',
      body: 'No answer came from the service. If it was replaced, nobody knows the new one: make another, and give it to the receiver without delay.',
    },
  },
  recover: {
    title: 'Recover events',
    about: 'Sends the events of a span of time that this webhook is for and that have not arrived there.',
    since: 'From',
    until: 'To',
    untilHint: 'Empty: until now.',
    zone: 'Times are in UTC.',
    wrong: (example: string) => `Enter an existing date and time, such as ${example}.`,
    missing: 'Give a time.',
    reversed: 'This is not after the beginning.',
    counting: 'Counting…',
    none: 'This webhook has missed nothing in this span.',
    count: (events: number) => `${counted(events, event)} would be sent.`,
    uncounted: 'The events could not be counted',
    send: (events: number | undefined) =>
      events === undefined ? 'Send events' : `Send ${counted(events, event)}`,
    disabled: 'Resume the webhook first: nothing is sent while it is not enabled.',
    notCounted: 'Give a span of time first.',
    nothing: 'There is nothing to send.',
    failed: 'The events were not sent',
    lost: {
      title: 'It is not known whether the events are being sent',
      body: 'No answer came from the service. Sending once more does no harm: what has arrived is not sent again.',
    },
    queued: (events: number) => `${counted(events, event)} queued`,
    progress: (done: number, of: number) => `${number(done)} of ${number(of)} sent`,
    goesOn: 'You can leave this page: sending goes on by itself.',
    done: 'All of them have been sent.',
    stuck: 'The receiver failed. What did not arrive is tried again by itself.',
    stopped: 'Sending has stopped: the webhook is not enabled any more.',
    show: 'Show the webhook',
    again: 'Recover another span',
  },
  failures: {
    lost: {
      title: 'It is not known whether this was done',
      body: 'No answer came from the service. Look at the webhook before you try again.',
    },
    missing: { body: 'This webhook does not exist any more. Somebody has deleted it.' },
    back: 'To all webhooks',
  },
}

/** Texts of making and changing a webhook, and of its secret. */
export const webhookFormText = {
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
  urlPlaceholder: 'e.g. https://example.org/hooks',
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
