import type { Subscription } from '#contract/index.ts'
import { webhookText } from '../../messages/index.ts'
import { StateMark, type StateMarkProps } from '../../ui/StateMark.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { type Health, healthOf, isSample } from './health.ts'
import { describeStop } from './names.ts'

const healthTones: Partial<Record<Health, StateMarkProps['tone']>> = {
  working: 'success',
  failing: 'warning',
  stopped: 'failure',
}

export function HealthMark({ subscription }: { readonly subscription: Subscription }) {
  const health = healthOf(subscription)
  // A newcomer must not take the stopped sample for a failure of the service.
  if (isSample(subscription))
    return <StateMark>{webhookText.sample({ state: webhookText.states[health] })}</StateMark>
  return <StateMark tone={healthTones[health]}>{webhookText.states[health]}</StateMark>
}

/** Renders why and when the service stopped a webhook; renders nothing if it is not stopped. */
export function StoppedNote({ disabled }: Pick<Subscription, 'disabled'>) {
  if (!disabled) return null
  return webhookText.notices.stoppedSince.withElements({
    title: describeStop(disabled.reason).title,
    time: <Timestamp value={disabled.since} mode="minute" />,
  })
}
