import type { Event } from '#contract/index.ts'
import { deliveryStatusText, eventText, sharedText } from '../../../messages/index.ts'
import { Message } from '../../../ui/Message.tsx'
import { StateMark } from '../../../ui/StateMark.tsx'
import { Timestamp, useNowMs } from '../../../ui/Timestamp.tsx'

/**
 * Delivery status of an event. A bare service reports delivered or not, and no more: an event that is not delivered may
 * be for no webhook.
 */
export function DeliveryMark({ event: { delivered, delivery } }: { readonly event: Event }) {
  if (delivery?.state === 'waiting') return <WaitingMark next={delivery.next ?? undefined} />
  if (delivery?.state === 'failed')
    return (
      <StateMark tone="failure">
        <span>
          {deliveryStatusText.failed}
          {delivery.attempts != null && (
            <span data-more>{deliveryStatusText.afterAttempts(delivery.attempts)}</span>
          )}
        </span>
      </StateMark>
    )
  if (delivery?.state === 'none') return <StateMark>{deliveryStatusText.none}</StateMark>
  const isDelivered = delivery?.state === 'delivered' || delivered
  if (isDelivered == null) return <span className="ds-dimmed">{sharedText.none}</span>
  return (
    <StateMark tone={isDelivered ? 'success' : undefined}>
      {isDelivered ? eventText.delivered : eventText.notDelivered}
    </StateMark>
  )
}

/** Without a next time, the delivery waits for a paused webhook; with a past one, an attempt is being made. */
function WaitingMark({ next }: { readonly next: string | undefined }) {
  const isAhead = useNowMs() < Date.parse(next ?? '')
  return (
    <StateMark tone="warning">
      <span>
        {deliveryStatusText.waiting}
        {isAhead && (
          <span data-more>
            <Message text={deliveryStatusText.nextAttempt} parts={{ time: <Timestamp value={next} /> }} />
          </span>
        )}
        {next === undefined && <span data-more>{deliveryStatusText.whilePaused}</span>}
      </span>
    </StateMark>
  )
}
