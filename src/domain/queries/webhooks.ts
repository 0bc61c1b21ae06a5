import { mutationOptions, queryOptions } from '@tanstack/react-query'

import type { SubscriptionPatch } from '#contract/index.ts'
import { api } from '../../api/index.ts'

/** Everything that was read of webhooks. */
const about = ['webhooks']
/** How deliveries go changes by itself, so what is kept is shown and read again. */
const staleTime = 0

/** All of them, oldest first. */
export function subscriptionsQuery() {
  return queryOptions({
    queryKey: [...about, 'list'],
    queryFn: ({ signal }) => api.listSubscriptions({ signal }),
    staleTime,
  })
}

export function subscriptionQuery(id: string) {
  return queryOptions({
    queryKey: [...about, 'one', id],
    queryFn: ({ signal }) => api.getSubscription({ params: { subscription_id: id }, signal }),
    staleTime,
  })
}

/** The last tries, newest first. */
export function recentAttemptsQuery(id: string) {
  return queryOptions({
    queryKey: [...about, 'attempts', id],
    queryFn: ({ signal }) => api.listRecentAttempts({ params: { subscription_id: id }, signal }),
    staleTime,
  })
}

/** A span of time as instants with their zone; `until`: now, where it is absent. */
export interface Span {
  readonly since: string
  readonly until?: string | undefined
}

const spanBody = ({ since, until }: Span) => ({ since, ...(until !== undefined && { until }) })

/** How many events of a span have not arrived there. */
export function missedQuery(id: string, span: Span) {
  return queryOptions({
    queryKey: [...about, 'missed', id, span],
    queryFn: ({ signal }) =>
      api.recoverSubscription({
        params: { subscription_id: id },
        body: { ...spanBody(span), dryRun: true },
        signal,
      }),
    staleTime,
    gcTime: 0,
  })
}

export function patchSubscription(id: string) {
  return mutationOptions({
    mutationFn: (body: SubscriptionPatch) => api.patchSubscription({ params: { subscription_id: id }, body }),
    // After a failure too: a lost answer may hide a success.
    onSettled: (_nothing, _error, _body, _result, { client }) =>
      client.invalidateQueries({ queryKey: about }),
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
    mutationFn: (span: Span) =>
      api.recoverSubscription({ params: { subscription_id: id }, body: spanBody(span) }),
    onSettled: (_answer, _error, _span, _result, { client }) =>
      client.invalidateQueries({ queryKey: subscriptionQuery(id).queryKey }),
  })
}
