import * as z from 'zod'

import { issueAt } from './code.ts'
import { oneLine, subscriptionId } from './common.ts'
import { delivery, healthDays, recentAttempt, recentAttempts, subscriptionHealth } from './delivery.ts'
import type { Endpoint } from './endpoint.ts'
import { type EventType, eventTypes, managementTypes } from './event.ts'
import { visible } from './visible.ts'

const unsubscribable: ReadonlySet<EventType> = new Set([...managementTypes, 'WEBHOOK_TEST'])

/**
 * Event types that can be subscribed to. Tests are excluded, because they go to the tested subscription regardless of
 * its types.
 */
export const subscribableTypes = eventTypes.filter((type) => !unsubscribable.has(type))

/**
 * Limited because every event is matched against each subscription, and each may have a hundred thousand deliveries
 * waiting.
 */
export const maxSubscriptions = 100

/** Reasons for which the service disables a subscription by itself. Another service may use other reasons. */
export const disablingReasons = [
  /** The receiver answered 410. */
  'gone',
  /** All attempts of a delivery failed, or ten in a row over more than three days. */
  'exhausted',
] as const

/** A webhook: an address that receives events, with its current state. */
export const subscription = z.looseObject({
  id: subscriptionId,
  url: z.string(),
  /** Subscribed event types; absent: all types, including those of later versions. */
  types: z.array(z.string()).optional(),
  description: z.string().nullish(),
  enabled: z.boolean(),
  /** Reason for which the service disabled it by itself, and when: UTC with `Z`. */
  disabled: z.looseObject({ reason: z.string(), since: z.string() }).nullish(),
  /** When somebody paused it, UTC with `Z`. */
  pausedSince: z.string().nullish(),
  /**
   * Until when deliveries are signed with both the old and the new secret, UTC with `Z`; absent if there is only one
   * secret.
   */
  previousSecretUntil: z.string().nullish(),
  /** Times without a zone, in UTC. */
  created: z.string(),
  updated: z.string(),
  /** Number of deliveries that are due or will be retried. */
  waiting: z.number(),
  /** Time of the oldest waiting event, UTC with `Z`. */
  waitingSince: z.string().nullish(),
  /** Times of the last attempt answered with 2xx and of the last failed one, UTC with `Z`. */
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
const description = oneLine(500)

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

/** Endpoints beyond the API document, which mentions webhooks but does not say how they are managed. */
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
