import type { Attempt, Delivery, Subscription } from '#contract/index.ts'
import type { IndexKey } from '../sealing/data-keys.ts'
import { openExchange } from './exchanges.ts'
import type { AttemptRow, DeliveryRow, SubscriptionRow } from './storage.ts'

// Convert rows of the store into API responses.

export function toSubscription(row: SubscriptionRow): Subscription {
  const { id, url, types, description, enabled, disabled_reason: reason, disabled: since, paused } = row
  return {
    id: id as Subscription['id'],
    url,
    ...(types && { types }),
    ...(description !== null && { description }),
    enabled,
    ...(reason !== null && since !== null && { disabled: { reason, since } }),
    ...(paused !== null && { pausedSince: paused }),
    ...(row.previous_until !== null && { previousSecretUntil: row.previous_until }),
    created: row.created,
    updated: row.updated,
    waiting: row.waiting,
    ...(row.waiting_since !== null && { waitingSince: row.waiting_since }),
    ...(row.last_success !== null && { lastSuccess: row.last_success }),
    ...(row.last_failure !== null && { lastFailure: row.last_failure }),
  }
}

/** Returns an attempt with its request and response, if they are stored. */
export function toAttempt(
  indexKey: IndexKey,
  of: { readonly subscription: string; readonly seq: number },
  { sealed, ...row }: AttemptRow,
): Attempt {
  return { ...row, ...(sealed !== undefined && openExchange(indexKey, { ...of, time: row.time }, sealed)) }
}

/** Returns a delivery with only the origin of its URL: the rest may contain a secret. */
export function toDelivery(
  indexKey: IndexKey,
  seq: number,
  { subscription, url, state, next, attempts }: DeliveryRow,
): Delivery {
  return {
    subscription: subscription as Delivery['subscription'],
    origin: new URL(url).origin,
    state,
    ...(next !== null && { next }),
    attempts: attempts.map((row) => toAttempt(indexKey, { subscription, seq }, row)),
  }
}
