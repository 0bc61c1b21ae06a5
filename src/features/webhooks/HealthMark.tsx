import type { Subscription } from '#contract/index.ts'
import { webhookText } from '../../messages/index.ts'
import { healthOf } from './health.ts'
import classes from './HealthMark.module.css'

/** A dot and a word. */
export function HealthMark({ subscription }: { readonly subscription: Subscription }) {
  const health = healthOf(subscription)
  return (
    <span className={classes.root} data-health={health}>
      {webhookText.states[health]}
    </span>
  )
}
