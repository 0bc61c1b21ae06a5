import type { Event } from '#contract/index.ts'
import { deliveryStatusText, eventText, sharedText } from '../../../messages/index.ts'
import { StateMark } from '../../../ui/StateMark.tsx'
import { Timestamp, useNowMs } from '../../../ui/Timestamp.tsx'

export interface DeliveryMarkProps {
  readonly event: Event
  /** Whether to leave out the time of the next attempt and the number of attempts. */
  readonly isShort?: boolean
}

/** Delivery status of an event. Some services report only delivered or not, even of events without a webhook. */
export function DeliveryMark({ event: { delivered, delivery }, isShort = false }: DeliveryMarkProps) {
  if (delivery?.state === 'waiting')
    return <WaitingMark next={delivery.next ?? undefined} isShort={isShort} />
  if (delivery?.state === 'failed')
    return (
      <StateMark tone="failure">
        <span>
          {isShort || delivery.attempts == null
            ? deliveryStatusText.failed.short
            : deliveryStatusText.failed.afterAttempts({ count: delivery.attempts })}
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

/** A delivery without a next time waits for a paused webhook; with a past one, an attempt is in progress. */
function WaitingMark({ next, isShort }: { readonly next: string | undefined; readonly isShort: boolean }) {
  const isAhead = useNowMs() < Date.parse(next ?? '')
  const { short, next: nextAttempt, whilePaused } = deliveryStatusText.waiting
  return (
    <StateMark tone="warning">
      <span>
        {isShort || (next !== undefined && !isAhead)
          ? short
          : next === undefined
            ? whilePaused
            : nextAttempt.withElements({ time: <Timestamp value={next} /> })}
      </span>
    </StateMark>
  )
}
