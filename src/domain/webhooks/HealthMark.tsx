import type { Subscription } from '#contract/index.ts'
import { webhookText } from '../../messages/index.ts'
import { StateMark, type StateMarkProps } from '../../ui/StateMark.tsx'
import { type Health, healthOf } from './health.ts'

const tones: Partial<Record<Health, StateMarkProps['tone']>> = {
  working: 'success',
  failing: 'warning',
  stopped: 'failure',
}

export function HealthMark({ subscription }: { readonly subscription: Subscription }) {
  const health = healthOf(subscription)
  return <StateMark tone={tones[health]}>{webhookText.states[health]}</StateMark>
}
