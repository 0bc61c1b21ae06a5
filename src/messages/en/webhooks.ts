import type { disablingReasons } from '#contract/index.ts'
import { defineMessages } from '../language/message.ts'

/** Texts of the pages of webhooks. */
export const webhookText = defineMessages({
  title: 'Webhooks',
  newWebhook: 'New webhook',
  columns: {
    url: 'Address',
    types: 'Events',
    state: 'State',
    waiting: 'Waiting',
    last: 'Last attempts',
  },
  /** Times of the last attempts, a line each. */
  last: { succeeded: 'Delivered {time}', failed: 'Failed {time}' },
  empty: {
    title: 'No webhooks yet',
    body: 'A webhook sends each event to an address you choose, as soon as the event happens. Every delivery is signed.',
  },
  allTypes: 'All events',
  states: {
    working: 'Working',
    failing: 'Failing',
    paused: 'Paused',
    stopped: 'Stopped',
    unused: 'Nothing sent yet',
  },
  /** State of a webhook that came with the sample data. */
  sample: '{state} (sample)',
  /** Below the number of waiting events: since when the first of them waits. */
  oldest: 'oldest {time}',
  never: 'Never',
  /** Meaning of each state, and the next step. */
  notices: {
    failing: {
      title: 'The last attempt failed',
      body: 'Failed deliveries are retried automatically for about three days, at increasing intervals. The attempts below show what went wrong.',
      nothingWaits: 'Nothing is waiting for a retry. Fix the receiver, then send a test.',
    },
    paused: {
      title: 'Paused',
      body: 'New events aren’t queued while the webhook is paused. You can resend them after you resume it.',
    },
    /** Why the service stopped a webhook by itself, and what to do. */
    stopped: {
      gone: {
        title: 'Stopped: the receiver wants no more events',
        body: 'The receiver answered 410 Gone. Ask its owner why, or change the address. Then resume, and resend what was missed.',
      },
      exhausted: {
        title: 'Stopped: the receiver kept failing',
        body: 'Deliveries failed for about three days, so we stopped. Fix the receiver, send a test, resume, then resend what was missed.',
      },
    } satisfies Record<(typeof disablingReasons)[number], { readonly title: string; readonly body: string }>,
    /** For the reasons of another service. */
    stoppedOtherwise: {
      title: 'Stopped: {reason}',
      body: 'We stopped sending. Fix the cause, send a test, resume, then resend what was missed.',
    },
    since: 'Since {time}',
    /** The title of a notice, in a line of the list. */
    stoppedSince: '{title} · since {time}',
  },
  detail: {
    id: 'Id',
    copyUrl: 'Copy address',
    description: 'Description',
    types: 'Events',
    waiting: 'Waiting',
    /** With the time of the event that has waited longest. */
    waitingSince: '{count, number} · oldest {time}',
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
    inLog: 'Events in the log',
    inLogHint: 'The log shows one status per event, across all webhooks.',
    states: { delivered: 'Delivered', waiting: 'Waiting', failed: 'Failed' },
    delete: 'Delete',
  },
  health: {
    title: 'Last 30 days',
    failed: 'Couldn’t load delivery statistics',
    day: '{day}: {succeeded, number} delivered, {failed, plural, one {# attempt failed} other {# attempts failed}}',
    dayUnused: '{day}: nothing sent',
    succeeded:
      '{count, plural, =1 {{share, plural, =0 {The only attempt failed.} other {The only attempt succeeded.}}} other {{share, number, ::percent .#} of # attempts succeeded.}}',
    unused: 'Nothing was sent in the last 30 days.',
    answers: 'Half of the responses came within {half}, 95% within {most}.',
    asTable: 'As a table',
    columns: { day: 'Day (UTC)', succeeded: 'Delivered', failed: 'Failed' },
  },
  attempts: {
    title: 'Recent attempts',
    label: 'Recent delivery attempts',
    outcomes: { any: 'All', arrived: 'Delivered', failed: 'Failed' },
    all: '{count, plural, one {Show all # attempt} other {Show all # attempts}}',
    empty: 'Nothing sent yet',
    emptyBody: 'Events are sent as they happen. Send a test to check the receiver.',
    failed: 'Couldn’t load the attempts',
    columns: { time: 'Time', event: 'Event', outcome: 'Outcome', latency: 'Duration' },
    /** Below the outcome of a further attempt. */
    again: 'Attempt {number, number}',
  },
  testing: {
    sending: 'Sending the test…',
    arrived: 'The test was delivered',
    failed: 'The test wasn’t delivered',
    /** The outcome of the attempt, such as "Delivered", and how long it took. */
    after: '{outcome} · {duration}',
    once: 'Tests aren’t retried.',
    slow: 'No attempt yet. The test is still queued; its attempt will appear below.',
    unsent: 'Couldn’t send the test',
    running: 'A test is already on its way.',
    event: 'View the event',
  },
  pause: {
    title: 'Pause {name}?',
    body: 'Sending stops, and events that happen during the pause aren’t queued. You can resend them after you resume.',
    waiting:
      '{count, plural, one {# event is waiting and will be sent after you resume.} other {# events are waiting and will be sent after you resume.}}',
    action: 'Pause webhook',
    paused: '{name} paused',
    failed: 'Couldn’t pause the webhook',
  },
  resume: {
    resumed: '{name} resumed',
    failed: 'Couldn’t resume the webhook',
    missed: '{count, plural, one {# event was missed} other {# events were missed}}',
    missedBody: 'You can resend them now. Events that were already delivered aren’t sent again.',
    recover: 'Resend them',
    later: 'Not now',
  },
  remove: {
    title: 'Delete {name}?',
    body: 'The webhook stops sending, events waiting for it are dropped, and its secret stops working. You can’t undo this. All events stay in the log.',
    action: 'Delete webhook',
    word: 'delete',
    deleted: '{name} deleted',
    failed: 'Couldn’t delete the webhook',
  },
  rotate: {
    title: 'Replace the signing secret?',
    body: 'The new secret starts working immediately and is shown only once. Keep the old one working until the receiver has the new one: deliveries carry both signatures during that time.',
    hours: 'Hours to keep the old secret working',
    hoursHint: '0 to 168. After a leak, choose 0: the old secret then stops working immediately.',
    hoursWrong: 'Enter a number from 0 to 168.',
    action: 'Create new secret',
    done: 'New signing secret',
    until: 'The old secret keeps working until {time}.',
    ended: 'The old secret no longer works.',
    already:
      'An earlier secret still works. If you continue, that secret stops working immediately. Otherwise it works until {time}.',
    failed: 'Couldn’t replace the secret',
    lost: {
      title: 'The secret may have been replaced',
      body: 'The service didn’t answer. If the secret was replaced, nobody has seen the new one. Replace the secret again, and give the newest one to the receiver right away.',
    },
  },
  recover: {
    title: 'Resend missed events',
    about: 'Resends the events that this webhook missed in a period.',
    since: 'From',
    until: 'Until',
    untilHint: 'Leave empty for the current time.',
    zone: 'Times are in UTC.',
    wrong: 'Enter a valid date and time, such as {example}.',
    missing: 'Enter a date and time.',
    reversed: 'Enter an end after the start.',
    counting: 'Counting…',
    none: 'This webhook missed nothing in this period.',
    count: '{count, plural, one {# event would be resent.} other {# events would be resent.}}',
    uncounted: 'Couldn’t count the events',
    send: '{count, plural, one {Resend # event} other {Resend # events}}',
    sendUncounted: 'Resend events',
    disabled: 'Resume the webhook first. Nothing is sent while it’s paused or stopped.',
    notCounted: 'Enter a period first.',
    nothing: 'There is nothing to resend.',
    failed: 'Couldn’t resend the events',
    lost: {
      title: 'The events may be on their way',
      body: 'The service didn’t answer. You can safely try again: events that were already delivered aren’t sent again.',
    },
    queued: '{count, plural, one {# event queued} other {# events queued}}',
    progress: '{done, number} of {total, number} resent',
    goesOn: 'You can leave this page. Sending continues in the background.',
    done: 'No events are waiting.',
    stuck: 'The last attempt failed. Undelivered events are retried automatically.',
    stopped: 'Sending was interrupted: the webhook was paused or stopped. Resume it to send the rest.',
    show: 'View webhook',
    again: 'Choose another period',
  },
  failures: {
    lost: {
      title: 'The change may have been made',
      body: 'The service didn’t answer. Check the webhook before you try again.',
    },
    missing: { body: 'This webhook was deleted.' },
    back: 'All webhooks',
    /** The failure of an action, such as "Couldn’t resume the webhook", and the reason as a sentence. */
    because: '{failure}. {reason}',
  },
})

/** Texts of making and changing a webhook, and of its secret. */
export const webhookFormText = defineMessages({
  create: {
    title: 'New webhook',
    submit: 'Create webhook',
    failed: 'Couldn’t create the webhook',
    lost: {
      title: 'The webhook may have been created',
      body: 'The service didn’t answer. What you typed is still here. Check the list of webhooks before you try again. If the webhook was created, replace its secret: nobody has seen it.',
    },
  },
  edit: {
    title: 'Edit {name}',
    submit: 'Save webhook',
    saved: '{name} saved',
    unchanged: 'Nothing changed',
    failed: 'Couldn’t save the webhook',
    lost: {
      title: 'The webhook may have been saved',
      body: 'The service didn’t answer. What you typed is still here, and you can safely save it again.',
    },
  },
  url: 'Address',
  urlHint: 'An HTTPS address on the internet. Events arrive as POST requests; redirects aren’t followed.',
  urlPlaceholder: 'e.g. https://example.org/hooks',
  urlMissing: 'Enter the whole address, such as https://example.org/hooks.',
  description: 'Description',
  descriptionHint: 'What the webhook is for, and who runs the receiver.',
  types: 'Events',
  all: 'All events',
  allHint: 'Including types that later versions add.',
  some: 'Only these',
  noType: 'Choose at least one event type.',
  paused: 'Start paused',
  pausedHint: 'Gives you time to store the secret in the receiver. You can resend missed events later.',
  kept: 'What you typed is still here.',

  secret: {
    created: '{name} created',
    title: 'Signing secret',
    once: 'The secret is shown only once. Store it where the receiver reads its secrets. A lost secret can only be replaced.',
    label: 'Signing secret',
    copy: 'Copy signing secret',
    stored: 'I’ve stored the secret',
    leave: {
      title: 'Leave without the secret?',
      body: 'The secret won’t be shown again. Without it, the receiver can’t tell that events come from here, and you would have to replace the secret.',
      stay: 'Stay here',
      leave: 'Leave without it',
    },
  },
  verify: {
    title: 'Verify signatures in the receiver',
    about:
      'Deliveries are signed according to Standard Webhooks, which has libraries for most languages. Answer with a 2xx status within 15 seconds. The same event can arrive twice: use the webhook-id header to skip duplicates.',
    language: 'Language',
    languages: { node: 'Node.js', python: 'Python' },
    copy: 'Copy code',
  },
})
