import type { Subscription } from '#contract/index.ts'
import { webhookText } from '../../messages/index.ts'
import { eventTypeName } from '../event-type-name.ts'

/** An address in its parts; those of another service may be anything. */
export function splitAddress(url: string): { readonly host: string; readonly path: string } {
  if (!URL.canParse(url)) return { host: url, path: '' }
  const { host, pathname, search } = new URL(url)
  return { host, path: pathname === '/' && search === '' ? '' : pathname + search }
}

/** Returns the name of a webhook in headings and messages: the host that it sends to. */
export function webhookName({ url }: Pick<Subscription, 'url'>): string {
  return splitAddress(url).host
}

/** "All events", or their names. */
export function describeTypes({ types }: Pick<Subscription, 'types'>): readonly string[] {
  return types ? types.map((type) => eventTypeName(type) ?? type) : [webhookText.allTypes]
}

interface StopWords {
  readonly title: string
  readonly body: string
}

/** Why the service stopped a webhook by itself, and what to do; reasons of another service are shown as they come. */
export function describeStop(reason: string): StopWords {
  const { stopped, stoppedOtherwise } = webhookText.notices
  const known: Readonly<Partial<Record<string, StopWords>>> = stopped
  return known[reason] ?? { title: stoppedOtherwise.title({ reason }), body: stoppedOtherwise.body }
}
