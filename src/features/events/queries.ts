import { mutationOptions, queryOptions } from '@tanstack/react-query'

import type { Delivery, Event } from '#contract/index.ts'
import { api } from '../../api/index.ts'
import { eventQuery } from '../../domain/queries/events.ts'

const soonMs = 5000
const rareMs = 30_000
/** What has been due for so long waits for its webhook to be resumed. */
const heldMs = 60_000

/** The deliveries of an event, with every try; read again for as long as one of them is waiting. */
export function deliveriesQuery(eventId: string) {
  return queryOptions({
    queryKey: ['events', 'deliveries', eventId],
    queryFn: async ({ client, signal }) => {
      const deliveries = await api.listDeliveries({ params: { event_id: eventId }, signal })
      const { queryKey } = eventQuery(eventId)
      const event = client.getQueryData(queryKey)
      if (event && standsOtherwise(event, deliveries)) void client.invalidateQueries({ queryKey })
      return deliveries
    },
    refetchInterval: ({ state }) => waitMs(state.data ?? []),
    staleTime: 0,
  })
}

/** The event was read before the last of them arrived, or failed, or was sent again. */
function standsOtherwise({ delivered, delivery }: Event, deliveries: readonly Delivery[]): boolean {
  const is = (wanted: string) => deliveries.some(({ state }) => state === wanted)
  if (delivery) return is('waiting') ? delivery.state === 'none' : delivery.state === 'waiting'
  return delivered === false && deliveries.length > 0 && !is('waiting') && !is('failed')
}

/** Often while a try is due, seldom while the next one is hours away, or held up. */
function waitMs(deliveries: readonly Delivery[]): number | false {
  const waits = deliveries
    .filter(({ state }) => state === 'waiting')
    .map(({ next }) => (typeof next === 'string' ? Date.parse(next) - Date.now() : rareMs))
  if (waits.length === 0) return false
  const first = Math.min(rareMs, ...waits.filter((ms) => ms > -heldMs))
  return first < soonMs ? 500 : first
}

/** Sends an event again: to one subscription, or to all that it is for. Answers to how many. */
export function redeliver(eventId: string) {
  return mutationOptions({
    mutationFn: async (subscription: string | undefined) =>
      (
        await api.redeliverEvent({
          params: { event_id: eventId },
          body: subscription === undefined ? {} : { subscription },
        })
      ).deliveries,
    // After a failure too: a lost answer may hide a success.
    onSettled: (_count, _error, _subscription, _result, { client }) =>
      client.invalidateQueries({ queryKey: deliveriesQuery(eventId).queryKey }),
  })
}
