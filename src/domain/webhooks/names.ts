import type { Subscription } from '#contract/index.ts'
import { eventTypeText, webhookText } from '../../messages/index.ts'

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
  return types ? types.map((type) => eventTypeText(type) ?? type) : [webhookText.allTypes]
}
