import { mutationOptions, type QueryClient } from '@tanstack/react-query'

import type { RecentAttempt, Subscription, SubscriptionCreate, SubscriptionPatch } from '#contract/index.ts'
import { api, q, refresh } from '../../api/index.ts'
import { utcMs } from '../../domain/webhooks/health.ts'

/** Time span between two instants with time zones. An omitted `until` means now. */
export interface TimeSpan {
  readonly since: string
  readonly until?: string | undefined
}

export function missedQuery(id: string, span: TimeSpan) {
  return q('recoverSubscription', { params: { subscription_id: id }, body: { ...span, dryRun: true } })
}

const refreshSubscriptions = (client: QueryClient) =>
  refresh(client, 'listSubscriptions', 'getSubscription', 'listRecentAttempts')

/** Sends a request whose answer has a secret. Not a mutation, because the mutation cache would keep the answer. */
async function withSecret<Result>(client: QueryClient, send: () => Promise<Result>): Promise<Result> {
  try {
    return await send()
  } finally {
    await refreshSubscriptions(client)
  }
}

export function createSubscription(client: QueryClient, body: SubscriptionCreate) {
  return withSecret(client, () => api.createSubscription({ body }))
}

/** @param hours Number of hours for which the old secret keeps signing too. */
export function rotateSecret(client: QueryClient, id: string, hours: number) {
  return withSecret(client, () => api.rotateSecret({ params: { subscription_id: id }, body: { hours } }))
}

export function patchSubscription(id: string) {
  return mutationOptions({
    mutationFn: (body: SubscriptionPatch) => api.patchSubscription({ params: { subscription_id: id }, body }),
    onSettled: (_nothing, _error, _body, _result, { client }) => refreshSubscriptions(client),
  })
}

export function deleteSubscription(id: string) {
  return mutationOptions({
    mutationFn: () => api.deleteSubscription({ params: { subscription_id: id } }),
    onSettled: (_nothing, _error, _void, _result, { client }) => refresh(client, 'listSubscriptions'),
  })
}

export function testSubscription(id: string) {
  return mutationOptions({
    mutationFn: async () => (await api.testSubscription({ params: { subscription_id: id } })).event,
  })
}

export function recoverEvents(id: string) {
  return mutationOptions({
    mutationFn: (body: TimeSpan) => api.recoverSubscription({ params: { subscription_id: id }, body }),
    onSettled: (_answer, _error, _span, _result, { client }) => refresh(client, 'getSubscription'),
  })
}

/** Time before the service disables a webhook: it tries an event ten times in about three days, four with jitter. */
const givenUpMs = 4 * 86_400_000

/**
 * Returns the start of the search for missed events: early enough for every event that may have been missed, judging
 * by the last attempts. A test that arrived tells nothing about other events. Searching too far back does no harm,
 * because delivered events are not sent again and events from before the webhook existed are not meant for it.
 */
export function missedSince(subscription: Subscription, attempts: readonly RecentAttempt[] = []): string {
  const { created, disabled, waitingSince } = subscription
  const createdMs = utcMs(created) ?? 0
  const arrived = attempts.find(({ error, type }) => typeof error !== 'string' && type !== 'WEBHOOK_TEST')
  const stoppedMs = utcMs(disabled?.since)
  const possible = [
    utcMs(arrived?.time) ?? createdMs,
    stoppedMs !== undefined && stoppedMs - givenUpMs,
    utcMs(waitingSince),
  ]
  const earliest = Math.min(...possible.filter((ms) => typeof ms === 'number'))
  return new Date(Math.max(createdMs, earliest)).toISOString()
}
