import type { QueryClient } from '@tanstack/react-query'

import type { UsersAsked } from '../queries/users.ts'
import { type ListEntry, listEntriesKey, searchOf } from './entries.ts'

/** The pages of a list before one of them, the earliest first. */
export type VisitedPages = readonly { readonly offset: string; readonly rows: number }[]

/**
 * A page of a list, from which somebody was opened: stands in the history entry of their page, so that it survives a
 * reload. What was searched for does not: it is personal, and stays in memory with the list.
 */
export interface ListPlace {
  /** Subject of the person whose place it is, so that somebody else who signs in in this tab sees none of it. */
  readonly by: string
  /** The history entry of the list. */
  readonly listEntry: string
  /** Which users; absent: only the list's entry knows. */
  readonly asked: Omit<UsersAsked, 'offset'> | undefined
  readonly offset: string
  readonly visited: VisitedPages
}

export function placeState(place: ListPlace | undefined) {
  return place && { place }
}

/** Returns the query for the page of a place; `undefined`: its search is forgotten, or another person's. */
export function askedAt(client: QueryClient, place: ListPlace, subject: string): UsersAsked | undefined {
  const { by, listEntry, asked, offset } = place
  if (by !== subject) return undefined
  if (asked) return { ...asked, offset }
  const entry = client.getQueryData<ListEntry>([...listEntriesKey, listEntry])
  return entry && { segment: entry.segment, ...searchOf(entry), offset }
}
