import * as z from 'zod'

import { subscriptionId } from './common.ts'

/** Why a try failed without an answer, or in spite of one. Another service may know others. */
export const attemptErrors = [
  /** The host name has no address. */
  'dns',
  /** The address is private, or not one of the internet. */
  'forbidden_address',
  'connection',
  /** The certificate is not valid for the host. */
  'tls',
  'timeout',
  /** A redirect: it is never followed. */
  'redirect',
  /** Any other status than 2xx. */
  'status',
  /** The process ended while it waited for the answer: whether it arrived is not known. */
  'interrupted',
] as const
export type AttemptError = (typeof attemptErrors)[number]

const headers = z.record(z.string(), z.string())

/** One try of one delivery. */
export const attempt = z.looseObject({
  /** Counted from 1 for an event and a subscription. */
  number: z.number(),
  /** When it was sent, UTC with `Z`. */
  time: z.string(),
  /** Milliseconds until the answer, or until it was given up. */
  ms: z.number().nullish(),
  /** HTTP status, where there was an answer. */
  status: z.number().nullish(),
  /** Absent: it arrived. */
  error: z.string().nullish(),
  /** Request headers, as far as they were sent; the body is the event. Present with `webhooks:manage`, like `response`. */
  request: z.looseObject({ headers }).nullish(),
  /** Without the headers that may hold secrets. */
  response: z
    .looseObject({
      headers,
      body: z.string(),
      /** There was more of the body. */
      truncated: z.boolean().nullish(),
    })
    .nullish(),
})
export type Attempt = z.infer<typeof attempt>

/** An event on its way to one subscription. */
export const delivery = z.looseObject({
  subscription: subscriptionId,
  /** Scheme and host; the whole address may hold a secret. */
  origin: z.string(),
  /** `failed`: no further try will be made by itself. */
  state: z.enum(['waiting', 'delivered', 'failed']),
  /** When it will be tried next, UTC with `Z`; only while waiting. */
  next: z.string().nullish(),
  /** Oldest first. */
  attempts: z.array(attempt),
})
export type Delivery = z.infer<typeof delivery>

/** One of the last tries of a subscription. */
export const recentAttempt = attempt.extend({ event: z.string(), type: z.string() })
export type RecentAttempt = z.infer<typeof recentAttempt>

/** Attempts that are listed for a subscription, newest first. */
export const recentAttempts = 50

/** As many days the health of a subscription is told of, today included. */
export const healthDays = 30

/** How its tries went; one that was interrupted counts for nothing. */
export const subscriptionHealth = z.looseObject({
  /** Oldest first, in UTC, as `YYYY-MM-DD`; all of them. */
  days: z.array(z.looseObject({ day: z.string(), succeeded: z.number(), failed: z.number() })),
  /** In all these days. */
  succeeded: z.number(),
  failed: z.number(),
  /** Milliseconds within which half of the answers came, and nineteen of twenty, to some ten percent; absent: there were none. */
  p50Ms: z.number().nullish(),
  p95Ms: z.number().nullish(),
})
export type SubscriptionHealth = z.infer<typeof subscriptionHealth>
