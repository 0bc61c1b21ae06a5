import * as z from 'zod'

import { subscriptionId } from './common.ts'

/** Reasons why an attempt failed, with or without an HTTP response. Another service may use other reasons. */
export const attemptErrors = [
  /** The host name has no address. */
  'dns',
  /** The address is not a public internet address. */
  'forbidden_address',
  'connection',
  /** The certificate is not valid for the host. */
  'tls',
  'timeout',
  /** The receiver answered with a redirect, which the service never follows. */
  'redirect',
  /** The receiver answered with a status other than 2xx. */
  'status',
  /** The process ended while it waited for the response, so it is unknown whether the event arrived. */
  'interrupted',
] as const
export type AttemptError = (typeof attemptErrors)[number]

const headers = z.record(z.string(), z.string())

/** One attempt to deliver an event. */
export const attempt = z.looseObject({
  /** Number of the attempt for this event and subscription, from 1. */
  number: z.number(),
  /** When the attempt was sent, UTC with `Z`. */
  time: z.string(),
  /** Milliseconds until the response, or until the attempt was aborted. */
  ms: z.number().nullish(),
  /** HTTP status; absent if there was no response. */
  status: z.number().nullish(),
  /** One of `attemptErrors`; absent if the event arrived. */
  error: z.string().nullish(),
  /**
   * Request headers; the body can be built from the event, so it is not kept. Like `response`, only present with
   * `webhooks:manage`.
   */
  request: z.looseObject({ headers }).nullish(),
  /** Response, without headers that may contain secrets. */
  response: z
    .looseObject({
      headers,
      body: z.string(),
      /** True if `body` is cut because the response was longer. */
      truncated: z.boolean().nullish(),
    })
    .nullish(),
})
export type Attempt = z.infer<typeof attempt>

/** Delivery of an event to one subscription. */
export const delivery = z.looseObject({
  subscription: subscriptionId,
  /** Scheme and host of the receiver only, because the full URL may contain a secret. */
  origin: z.string(),
  /** `failed`: the service makes no further attempts by itself. */
  state: z.enum(['waiting', 'delivered', 'failed']),
  /** When the next attempt is due, UTC with `Z`; only while waiting. */
  next: z.string().nullish(),
  /** Attempts, oldest first. */
  attempts: z.array(attempt),
})
export type Delivery = z.infer<typeof delivery>

/** One of the latest attempts of a subscription. */
export const recentAttempt = attempt.extend({ event: z.string(), type: z.string() })
export type RecentAttempt = z.infer<typeof recentAttempt>

/** Maximum number of attempts listed for a subscription, newest first. */
export const recentAttempts = 50

/** Days covered by the health of a subscription, including today. */
export const healthDays = 30

/** Results of a subscription's attempts; interrupted ones are not counted. */
export const subscriptionHealth = z.looseObject({
  /** All days, oldest first, in UTC, as `YYYY-MM-DD`. */
  days: z.array(z.looseObject({ day: z.string(), succeeded: z.number(), failed: z.number() })),
  /** Totals of all these days. */
  succeeded: z.number(),
  failed: z.number(),
  /**
   * Response times of the 50th and 95th percentile in milliseconds, accurate to about ten percent; absent if there
   * were no responses.
   */
  p50Ms: z.number().nullish(),
  p95Ms: z.number().nullish(),
})
export type SubscriptionHealth = z.infer<typeof subscriptionHealth>
