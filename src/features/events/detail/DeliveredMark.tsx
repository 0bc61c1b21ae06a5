import { eventText, sharedText } from '../../../messages/index.ts'
import { StateMark } from '../../../ui/StateMark.tsx'

/** False means no more than that it was not delivered: there may be nobody to deliver it to. */
export function DeliveredMark({ delivered }: { readonly delivered: boolean | null | undefined }) {
  if (delivered == null) return <span className="ds-dimmed">{sharedText.none}</span>
  return (
    <StateMark tone={delivered ? 'success' : undefined}>
      {delivered ? eventText.delivered : eventText.notDelivered}
    </StateMark>
  )
}
