import { Button } from '@mantine/core'
import { mutationOptions, queryOptions, useMutation, useQuery } from '@tanstack/react-query'

import { type Delivery, type Event, managementTypes, type Subscription } from '#contract/index.ts'
import { api, ApiError, q } from '../../../api/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { eventText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { InlineFailure } from '../../../domain/failures/InlineFailure.tsx'
import { SkeletonRows } from '../../../ui/SkeletonRows.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { DeliveryEntry } from './DeliveryEntry.tsx'
import classes from './Deliveries.module.css'
import { EventSection } from './EventPanel.tsx'
import { eventQuery } from '../../../domain/queries/events.ts'

const deliveriesText = eventText.deliveries

/** Webhooks an event was sent to, with every attempt, and buttons to send it again. */
export function Deliveries({ event }: { readonly event: Event }) {
  const denied = useDenied('webhooks:manage')
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery(deliveriesQuery(event.id))
  // Names what is known to who manages webhooks; what else is there works without.
  const { data: subscriptions = [] } = useQuery({ ...q('listSubscriptions'), enabled: denied === undefined })
  const { mutate, isPending, variables } = useMutation({
    ...redeliver(event.id),
    onSuccess: (count) => showToast({ message: deliveriesText.queued(count) }),
    onError: (failure) => showToast({ tone: 'failure', ...inWords(failure) }),
  })
  const entries = data && entriesOf(event, data, subscriptions)

  return (
    <EventSection
      title={deliveriesText.title}
      label={deliveriesText.title}
      aside={
        entries &&
        entries.length > 1 && (
          <DisabledReason reason={denied}>
            <Button
              variant="default"
              size="compact-xs"
              loading={isPending && variables === undefined}
              onClick={() => mutate(undefined)}
            >
              {deliveriesText.resendAll}
            </Button>
          </DisabledReason>
        )
      }
    >
      {entries ? (
        entries.length === 0 ? (
          <p className="ds-dimmed">{deliveriesText.none}</p>
        ) : (
          <ul className={classes.list}>
            {entries.map(({ id, delivery, subscription }) => (
              <DeliveryEntry
                key={id}
                event={event}
                id={id}
                delivery={delivery}
                nowMs={dataUpdatedAt}
                subscription={subscription}
                denied={denied}
                isSending={isPending && variables === id}
                onResend={() => mutate(id)}
              />
            ))}
          </ul>
        )
      ) : error && !isFetching ? (
        <InlineFailure
          title={deliveriesText.failed}
          error={error}
          own={{ kept: deliveriesText.failedBody }}
          onRetry={() => void refetch()}
        />
      ) : (
        <SkeletonRows rows={2} height="44px" />
      )}
    </EventSection>
  )
}

interface Entry {
  /** Id of the subscription. */
  readonly id: string
  readonly delivery?: Delivery | undefined
  readonly subscription?: Subscription | undefined
}

/** The deliveries, and behind them the subscriptions that are for this event now and have not got it. */
function entriesOf(
  { type, properties }: Event,
  deliveries: readonly Delivery[],
  subscriptions: readonly Subscription[],
): readonly Entry[] {
  const known = new Map<string, Subscription>(subscriptions.map((each) => [each.id, each]))
  const isQueued = new Set<string>(deliveries.map(({ subscription }) => subscription))
  const isFor = ({ id, enabled, types }: Subscription) =>
    type === 'WEBHOOK_TEST'
      ? properties['subscription'] === id
      : enabled && !managementTypes.some((each) => each === type) && (types?.includes(type) ?? true)
  return [
    ...deliveries.map((delivery) => ({
      id: delivery.subscription,
      delivery,
      subscription: known.get(delivery.subscription),
    })),
    ...subscriptions
      .filter((each) => !isQueued.has(each.id) && isFor(each))
      .map((subscription) => ({ id: subscription.id, subscription })),
  ]
}

function inWords(failure: unknown) {
  if (!(failure instanceof ApiError)) return { message: deliveriesText.notQueued }
  const { outcomeUnknown, requestId, errors, detail: words } = failure
  if (outcomeUnknown) return { message: deliveriesText.unknown }
  return { message: `${deliveriesText.notQueued} ${errors[0]?.detail ?? words ?? ''}`.trim(), requestId }
}

const soonMs = 5000
const rareMs = 30_000
/** A delivery overdue by this long belongs to a paused webhook, so polling does not wait for it. */
const heldMs = 60_000

/** The deliveries of an event, with every try; read again for as long as one of them is waiting. */
function deliveriesQuery(eventId: string) {
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
function redeliver(eventId: string) {
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
