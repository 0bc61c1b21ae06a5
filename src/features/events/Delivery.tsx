import { events as text, shared } from '../../messages/index.ts'
import classes from './Delivery.module.css'

/** A dot and a word. False means no more than that it was not delivered: there may be nobody to deliver it to. */
export function Delivery({ delivered }: { readonly delivered: boolean | null | undefined }) {
  if (delivered === null || delivered === undefined) return <span className="ds-dimmed">{shared.none}</span>
  return (
    <span className={classes.root} data-delivered={delivered || undefined}>
      {delivered ? text.delivered : text.notDelivered}
    </span>
  )
}
