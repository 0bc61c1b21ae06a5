import type { Subscription } from '#contract/index.ts'
import { webhookText } from '../../messages/index.ts'
import { eventTypeName } from '../event-type-name.ts'

/** Splits a URL into host and path. URLs from another service may be any text. */
export function splitAddress(url: string): { readonly host: string; readonly path: string } {
  if (!URL.canParse(url)) return { host: url, path: '' }
  const { host, pathname, search } = new URL(url)
  return { host, path: pathname === '/' && search === '' ? '' : pathname + search }
}

/** Returns the name of a webhook in headings and messages: the host that it sends to. */
export function subscriptionName({ url }: Pick<Subscription, 'url'>): string {
  return splitAddress(url).host
}

/** Returns "All events", or the names of the event types. */
export function describeTypes({ types }: Pick<Subscription, 'types'>): readonly string[] {
  return types ? types.map((type) => eventTypeName(type) ?? type) : [webhookText.allTypes]
}

interface StopWords {
  readonly title: string
  readonly body: string
}

/** Describes why the service stopped a webhook and how to continue. Unknown reasons are shown as they are. */
export function describeStop(reason: string): StopWords {
  const { stopped, stoppedOtherwise } = webhookText.notices
  const known: Readonly<Partial<Record<string, StopWords>>> = stopped
  return known[reason] ?? { title: stoppedOtherwise.title({ reason }), body: stoppedOtherwise.body }
}
