interface HistoryEntry {
  readonly key?: string
  readonly idx?: number
  readonly usr?: {
    readonly visited?: unknown
    readonly listEntry?: string
    readonly isSearch?: boolean
  } | null
}

/**
 * What of an entry of the history a sign-in carries through the tab's storage: the router's own names for it, the
 * pages of the list before it, and that a page was come to from a list. An entry may hold more, such as the conditions
 * of a list with what somebody looks for: that stays in the history, which is left, and is forgotten with it.
 */
export function carriedEntry(state: unknown): unknown {
  if (state === null || typeof state !== 'object') return null
  const { key, idx, usr }: HistoryEntry = state
  const { visited, listEntry, isSearch } = usr ?? {}
  return { key, idx, usr: usr && { visited, listEntry, isSearch } }
}
