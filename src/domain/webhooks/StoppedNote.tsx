import type { Subscription } from '#contract/index.ts'
import { webhookText } from '../../messages/index.ts'
import { Timestamp } from '../../ui/Timestamp.tsx'

/** Why the service stopped a webhook, and since when; about any other it says nothing. */
export function StoppedNote({ disabled }: Pick<Subscription, 'disabled'>) {
  if (!disabled) return null
  const { notices } = webhookText
  return (
    <>
      {notices.stopped(disabled.reason).title} · {notices.since.toLowerCase()}{' '}
      <Timestamp value={disabled.since} mode="minute" />
    </>
  )
}
