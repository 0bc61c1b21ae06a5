import * as z from 'zod'

import { issueAt } from './code.ts'
import { subscriptionId } from './common.ts'
import { delivery, healthDays, recentAttempt, recentAttempts, subscriptionHealth } from './delivery.ts'
import type { Endpoint } from './endpoint.ts'
import { type EventType, eventTypes, managementTypes } from './event.ts'
import { visible } from './visible.ts'

const unsubscribable: ReadonlySet<EventType> = new Set([...managementTypes, 'WEBHOOK_TEST'])

/** The event types that can be subscribed to: a test goes to the subscription that it tests, whatever its types. */
export const subscribableTypes = eventTypes.filter((type) => !unsubscribable.has(type))

/** Each one is looked at for every event, and may have a hundred thousand deliveries waiting. */
export const maxSubscriptions = 100

/** Why the service stopped delivering to a subscription by itself. Another service may know others. */
export const disablingReasons = [
  /** The receiver answered 410. */
  'gone',
  /** All tries of a delivery were used up. */
  'exhausted',
] as const

/** Webhook: an address that receives events, with its current state. */
export const subscription = z.looseObject({
  id: subscriptionId,
  url: z.string(),
  /** Absent: all of them, those of later versions too. */
  types: z.array(z.string()).optional(),
  description: z.string().nullish(),
  enabled: z.boolean(),
  /** Why it is not enabled, where nobody asked for that; and since when, UTC with `Z`. */
  disabled: z.looseObject({ reason: z.string(), since: z.string() }).nullish(),
  /** Since when it is not enabled because somebody wanted that, UTC with `Z`. */
  pausedSince: z.string().nullish(),
  /** Until then both secrets sign, UTC with `Z`; absent: there is one. */
  previousSecretUntil: z.string().nullish(),
  /** UTC without a zone, like all that the service assigns. */
  created: z.string(),
  updated: z.string(),
  /** Deliveries that are due, or will be tried again. */
  waiting: z.number(),
  /** When the oldest of them happened, UTC with `Z`. */
  waitingSince: z.string().nullish(),
  /** The last try that was answered 2xx, and the last that was not; UTC with `Z`. */
  lastSuccess: z.string().nullish(),
  lastFailure: z.string().nullish(),
})
export type Subscription = z.infer<typeof subscription>

const url = visible()
  .max(2000, 'An address has up to 2,000 characters.')
  .refine((text) => URL.canParse(text), {
    error: 'Give the whole address, such as https://example.org/hooks.',
    abort: true,
  })
  .check(({ value, issues }) => {
    if (!/^https?:$/.test(new URL(value).protocol))
      issues.push(issueAt([], 'scheme', 'Give an address that begins with https://.'))
  })
const types = z
  .array(z.enum(subscribableTypes, `Give event types: ${subscribableTypes.join(', ')}.`))
  .max(subscribableTypes.length, 'Give each event type once.')
  .min(1, 'Give at least one event type, or leave "types" out for all of them.')
  .refine((names) => new Set(names).size === names.length, 'Give each event type once.')
const description = z.string().max(500, 'A description has up to 500 characters.')

export const subscriptionCreate = z.strictObject({
  url,
  types: types.optional(),
  description: description.optional(),
  enabled: z.boolean().optional(),
})
export type SubscriptionCreate = z.input<typeof subscriptionCreate>

/** Absent fields stay unchanged. `types: null` subscribes to all types. */
export const subscriptionPatch = z.strictObject({
  url: url.optional(),
  types: types.nullish(),
  description: description.nullish(),
  enabled: z.boolean().optional(),
})
export type SubscriptionPatch = z.input<typeof subscriptionPatch>

const webhookTime = z.iso.datetime({
  offset: true,
  error: 'Give a time with its zone, such as 2024-03-01T09:30:00Z.',
})

const managed = { tag: 'Webhooks', needs: ['webhooks:manage'], addition: 'webhooks' } as const

/** Beyond the API document, which says that webhooks exist and not how they are managed. */
export const webhookEndpoints = {
  listSubscriptions: {
    method: 'GET',
    path: '/subscriptions',
    summary: 'All subscriptions, oldest first, with how their deliveries go.',
    ...managed,
    reply: z.array(subscription),
    status: [200],
  },
  createSubscription: {
    method: 'POST',
    path: '/subscriptions',
    summary: 'Creates a subscription. Only this answer contains its secret.',
    ...managed,
    body: subscriptionCreate,
    reply: z.looseObject({ id: subscriptionId, secret: z.string() }),
    status: [200],
  },
  getSubscription: {
    method: 'GET',
    path: '/subscriptions/{subscription_id}',
    summary: 'One subscription.',
    ...managed,
    reply: subscription,
    status: [200],
  },
  patchSubscription: {
    method: 'PATCH',
    path: '/subscriptions/{subscription_id}',
    summary:
      'Changes, pauses or resumes a subscription. Events that happen while it is paused are not queued: recover them.',
    ...managed,
    body: subscriptionPatch,
    status: [204],
  },
  deleteSubscription: {
    method: 'DELETE',
    path: '/subscriptions/{subscription_id}',
    summary: 'Deletes a subscription and its pending deliveries.',
    ...managed,
    status: [204],
  },
  testSubscription: {
    method: 'POST',
    path: '/subscriptions/{subscription_id}/test',
    summary: 'Sends a WEBHOOK_TEST event to this subscription alone, also while it is paused.',
    ...managed,
    reply: z.looseObject({ event: z.string() }),
    status: [200],
  },
  rotateSecret: {
    method: 'POST',
    path: '/subscriptions/{subscription_id}/rotate-secret',
    summary:
      'Creates a new secret, which only this answer contains. The old one keeps signing for the hours given, 24 by default.',
    ...managed,
    body: z.strictObject({
      hours: z
        .number('Give a number of hours from 0 to 168.')
        .min(0, 'Give a number of hours from 0 to 168.')
        .max(168, 'Give a number of hours from 0 to 168.')
        .optional(),
    }),
    reply: z.looseObject({ secret: z.string(), previousSecretUntil: z.string().nullish() }),
    status: [200],
  },
  listRecentAttempts: {
    method: 'GET',
    path: '/subscriptions/{subscription_id}/attempts',
    summary: `The last ${recentAttempts} tries of a subscription, newest first.`,
    ...managed,
    reply: z.array(recentAttempt),
    status: [200],
  },
  getHealth: {
    method: 'GET',
    path: '/subscriptions/{subscription_id}/health',
    summary: `How the attempts of a subscription went in the last ${healthDays} days, and how long answers took.`,
    ...managed,
    addition: 'webhooks.health',
    reply: subscriptionHealth,
    status: [200],
  },
  recoverSubscription: {
    method: 'POST',
    path: '/subscriptions/{subscription_id}/recover',
    summary:
      'Resends the events of a time span that this subscription is for and has not received. With `dryRun` it only counts them.',
    ...managed,
    body: z.strictObject({
      since: webhookTime,
      until: webhookTime.optional(),
      dryRun: z.boolean().optional(),
    }),
    reply: z.looseObject({ events: z.number() }),
    status: [200],
  },
  listDeliveries: {
    method: 'GET',
    path: '/events/{event_id}/attempts',
    summary: 'The deliveries of an event, each with its last 50 attempts.',
    ...managed,
    needs: ['events:read'],
    reply: z.array(delivery),
    status: [200],
  },
  redeliverEvent: {
    method: 'POST',
    path: '/events/{event_id}/redeliver',
    summary: 'Resends an event under the same id, to all subscriptions that it is for or to the one given.',
    ...managed,
    body: z.strictObject({ subscription: z.string().optional() }),
    reply: z.looseObject({ deliveries: z.number() }),
    status: [200],
  },
} as const satisfies Record<string, Endpoint>
