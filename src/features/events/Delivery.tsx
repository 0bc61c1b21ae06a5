import { eventText, sharedText } from '../../messages/index.ts'
import classes from './Delivery.module.css'

/** A dot and a word. False means no more than that it was not delivered: there may be nobody to deliver it to. */
export function Delivery({ delivered }: { readonly delivered: boolean | null | undefined }) {
  if (delivered === null || delivered === undefined)
    return <span className="ds-dimmed">{sharedText.none}</span>
  return (
    <span className={classes.root} data-delivered={delivered || undefined}>
      {delivered ? eventText.delivered : eventText.notDelivered}
    </span>
  )
}
