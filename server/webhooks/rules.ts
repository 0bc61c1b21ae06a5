import { managementTypes, maxSubscriptions } from '#contract/index.ts'
import { invalid, Refusal } from '../http/errors/problem.ts'
import { objectionTo } from './addresses.ts'

/**
 * Whether an event is never sent to a subscription: changes of webhooks are only logged, and a test is only for the
 * one being tested.
 */
export function isNeverFor(
  id: string,
  { type, subscription }: { readonly type: string; readonly subscription: string | null },
): boolean {
  return type === 'WEBHOOK_TEST'
    ? subscription !== id
    : managementTypes.some((managementType) => managementType === type)
}

const objections = {
  credentials: 'Leave user name and password out of the address: each request is signed instead.',
  fragment: 'Leave out what follows “#”: it is never sent.',
  scheme:
    'Give an address that begins with https://, so that nobody on the way reads or changes what is sent.',
  forbidden_address:
    'This address belongs to a private network or to the service’s own machine, so nothing is sent to it. Give a public address.',
} as const

/** Returns the normalized URL; throws a Refusal if its address is not allowed. */
export function checkUrl(text: string, allowLoopback: boolean): string {
  const url = new URL(text)
  const objection = objectionTo(url, { allowLoopback })
  if (objection) throw invalid([{ pointer: '/url', code: objection, detail: objections[objection] }])
  return url.href
}

export function emptySpan(): Refusal {
  return invalid([
    { pointer: '/until', code: 'empty_span', detail: 'Give a time after “since”, or none for now.' },
  ])
}

export function notEnabled(): Refusal {
  return new Refusal(
    'subscription_not_enabled',
    'This subscription is not enabled, so nothing is sent to it. Enable it first.',
  )
}

export function tooManySubscriptions(): Refusal {
  return new Refusal(
    'too_many_subscriptions',
    `There are already ${maxSubscriptions} subscriptions, which is the limit. Delete one that you no longer need. Nothing was changed.`,
  )
}
