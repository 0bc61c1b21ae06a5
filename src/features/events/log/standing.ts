import type { Event } from '#contract/index.ts'

/** By itself: what no webhook asked for stays so, and what is delivered. */
export function mayChange({ delivered, delivery }: Event): boolean {
  return delivery ? delivery.state === 'waiting' || delivery.state === 'failed' : delivered === false
}

/** It has come to stand otherwise with its webhooks. */
export function isOtherwise(now: Event, before: Event): boolean {
  return (
    now.delivered !== before.delivered ||
    now.delivery?.state !== before.delivery?.state ||
    now.delivery?.next !== before.delivery?.next ||
    now.delivery?.attempts !== before.delivery?.attempts
  )
}
