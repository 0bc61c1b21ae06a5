import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'

import { type Delivery, type Event, managementTypes, type Subscription } from '#contract/index.ts'
import { ApiError } from '../../../api/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { eventText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { InlineFailure } from '../../../domain/failures/InlineFailure.tsx'
import { SkeletonRows } from '../../../ui/SkeletonRows.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { subscriptionsQuery } from '../../../domain/queries/webhooks.ts'
import { deliveriesQuery, redeliver } from '../queries.ts'
import { DeliveryEntry } from './DeliveryEntry.tsx'
import classes from './Deliveries.module.css'
import { EventSection } from './EventPanel.tsx'

const text = eventText.deliveries

/** Where an event was sent, with every try, and the way to send it again. */
export function Deliveries({ event }: { readonly event: Event }) {
  const denied = useDenied('webhooks:manage')
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery(deliveriesQuery(event.id))
  // Names what is known to who manages webhooks; what else is there works without.
  const { data: subscriptions = [] } = useQuery({ ...subscriptionsQuery(), enabled: denied === undefined })
  const { mutate, isPending, variables } = useMutation({
    ...redeliver(event.id),
    onSuccess: (count) => showToast({ message: text.queued(count) }),
    onError: (failure) => showToast({ tone: 'failure', ...inWords(failure) }),
  })
  const entries = data && entriesOf(event, data, subscriptions)

  return (
    <EventSection
      title={text.title}
      label={text.title}
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
              {text.resendAll}
            </Button>
          </DisabledReason>
        )
      }
    >
      {entries ? (
        entries.length === 0 ? (
          <p className="ds-dimmed">{text.none}</p>
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
          title={text.failed}
          error={error}
          own={{ kept: text.failedBody }}
          onRetry={() => void refetch()}
        />
      ) : (
        <SkeletonRows rows={2} height="44px" />
      )}
    </EventSection>
  )
}

interface Entry {
  /** Of the subscription. */
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
  if (!(failure instanceof ApiError)) return { message: text.notQueued }
  const { outcomeUnknown, requestId, errors, detail: words } = failure
  if (outcomeUnknown) return { message: text.unknown }
  return { message: `${text.notQueued} ${errors[0]?.detail ?? words ?? ''}`.trim(), requestId }
}
