import type { Event } from '#contract/index.ts'
import { eventText, sharedText } from '../../../messages/index.ts'
import { StateMark } from '../../../ui/StateMark.tsx'
import { Timestamp, useNowMs } from '../../../ui/Timestamp.tsx'

const statesText = eventText.states

/**
 * How an event stands with its webhooks. Where the service does not tell more, false means no more than that it was not
 * delivered: there may be nobody to deliver it to.
 */
export function DeliveryMark({ event: { delivered, delivery } }: { readonly event: Event }) {
  if (delivery?.state === 'waiting') return <Waiting next={delivery.next ?? undefined} />
  if (delivery?.state === 'failed')
    return (
      <StateMark tone="failure">
        <span>
          {statesText.failed}
          {delivery.attempts != null && <span data-more>{statesText.after(delivery.attempts)}</span>}
        </span>
      </StateMark>
    )
  if (delivery?.state === 'none') return <StateMark>{statesText.none}</StateMark>
  const isDelivered = delivery?.state === 'delivered' || delivered
  if (isDelivered == null) return <span className="ds-dimmed">{sharedText.none}</span>
  return (
    <StateMark tone={isDelivered ? 'success' : undefined}>
      {isDelivered ? eventText.delivered : eventText.notDelivered}
    </StateMark>
  )
}

/** Without a time it waits for a webhook that is paused; a time that has come is that of a try which is being made. */
function Waiting({ next }: { readonly next: string | undefined }) {
  const isAhead = useNowMs() < Date.parse(next ?? '')
  return (
    <StateMark tone="warning">
      <span>
        {statesText.waiting}
        {isAhead && (
          <span data-more>
            {statesText.nextTry} <Timestamp value={next} />
          </span>
        )}
        {next === undefined && <span data-more>{statesText.whilePaused}</span>}
      </span>
    </StateMark>
  )
}
