import type { QueryClient } from '@tanstack/react-query'

import { links } from '../links.ts'

/** What the list remembers of entries of the history, by their keys: with the answers, since it is as personal. */
export const listEntriesKey = ['users', 'list entry'] as const

/** Of what the list remembers, what other pages need to know. */
export interface ListEntry {
  readonly segment: string
  /** What stands in the search box. */
  readonly text: string
  /** What is searched for; `''`: nothing, the list is shown. */
  readonly q: string
}

/** The way to the list with a text in its search box. The text is personal: it is handed over in memory. */
export function listWithText(client: QueryClient, text: string) {
  const listEntry = crypto.randomUUID()
  client.setQueryData([...listEntriesKey, listEntry], { text })
  return { to: links.users(), state: { listEntry } }
}
