import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'

import type { SubscriptionCreate, SubscriptionPatch } from '#contract/index.ts'
import { api } from '../../api/index.ts'
import { subscriptionsQuery, webhooksKey } from '../../domain/queries/webhooks.ts'

/** Delivery status changes on its own, so cached data is shown and read again. */
const staleTime = 0
const healthPollMs = 30_000

export function subscriptionQuery(id: string) {
  return queryOptions({
    queryKey: [...webhooksKey, 'one', id],
    queryFn: ({ signal }) => api.getSubscription({ params: { subscription_id: id }, signal }),
    staleTime,
  })
}

/** The last tries, newest first. */
export function recentAttemptsQuery(id: string) {
  return queryOptions({
    queryKey: [...webhooksKey, 'attempts', id],
    queryFn: ({ signal }) => api.listRecentAttempts({ params: { subscription_id: id }, signal }),
    staleTime,
  })
}

/** How the tries of the last days went; read again with the tries. */
export function healthQuery(id: string) {
  return queryOptions({
    queryKey: [...webhooksKey, 'health', id],
    queryFn: ({ signal }) => api.getHealth({ params: { subscription_id: id }, signal }),
    staleTime,
    refetchInterval: healthPollMs,
  })
}

/** A span of time as instants with their zone; `until`: now, where it is absent. */
export interface TimeSpan {
  readonly since: string
  readonly until?: string | undefined
}

const spanBody = ({ since, until }: TimeSpan) => ({ since, ...(until !== undefined && { until }) })

/** How many events of a span have not arrived there. */
export function missedQuery(id: string, span: TimeSpan) {
  return queryOptions({
    queryKey: [...webhooksKey, 'missed', id, span],
    queryFn: ({ signal }) =>
      api.recoverSubscription({
        params: { subscription_id: id },
        body: { ...spanBody(span), dryRun: true },
        signal,
      }),
    staleTime: 0,
    gcTime: 0,
  })
}

/**
 * Runs a request whose response contains a secret. Not a mutation, because the mutation cache keeps responses for a
 * while.
 */
async function withSecret<Made>(client: QueryClient, make: () => Promise<Made>): Promise<Made> {
  try {
    return await make()
  } finally {
    // A lost answer may hide a success.
    await client.invalidateQueries({ queryKey: webhooksKey })
  }
}

export function createSubscription(client: QueryClient, body: SubscriptionCreate) {
  return withSecret(client, () => api.createSubscription({ body }))
}

/** @param hours For so long the old secret signs too. */
export function rotateSecret(client: QueryClient, id: string, hours: number) {
  return withSecret(client, () => api.rotateSecret({ params: { subscription_id: id }, body: { hours } }))
}

export function patchSubscription(id: string) {
  return mutationOptions({
    mutationFn: (body: SubscriptionPatch) => api.patchSubscription({ params: { subscription_id: id }, body }),
    // After a failure too: a lost answer may hide a success.
    onSettled: (_nothing, _error, _body, _result, { client }) =>
      client.invalidateQueries({ queryKey: webhooksKey }),
  })
}

export function deleteSubscription(id: string) {
  return mutationOptions({
    mutationFn: () => api.deleteSubscription({ params: { subscription_id: id } }),
    onSettled: (_nothing, _error, _void, _result, { client }) =>
      client.invalidateQueries({ queryKey: subscriptionsQuery().queryKey }),
  })
}

/** Answers the id of the event. */
export function testSubscription(id: string) {
  return mutationOptions({
    mutationFn: async () => (await api.testSubscription({ params: { subscription_id: id } })).event,
  })
}

export function recoverEvents(id: string) {
  return mutationOptions({
    mutationFn: (span: TimeSpan) =>
      api.recoverSubscription({ params: { subscription_id: id }, body: spanBody(span) }),
    onSettled: (_answer, _error, _span, _result, { client }) =>
      client.invalidateQueries({ queryKey: subscriptionQuery(id).queryKey }),
  })
}
