import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

import { isFull } from '../../api/index.ts'
import { usePerson } from '../../auth/use-session.ts'
import { readTrail, type Trail } from './paging.ts'
import { listEntriesKey, type ListEntry, type ListView, wholeList } from '../../domain/user-list/entries.ts'
import type { Work } from '../../domain/work/use-work.ts'
import type { Scan } from './scan.ts'

/** State of the list for one history entry, beyond what its address holds. */
export interface UserListEntry extends ListEntry {
  /** The page of results on screen, and those before it. */
  readonly offset: string
  readonly visited: Trail['visited']
  /** Without a search in the service: whether `q` is looked up as an id; otherwise all pages are scanned for it. */
  readonly isId: boolean
  readonly scan: Work<Scan, void> | undefined
  /** The user that was opened, and how far the window was scrolled then. */
  readonly left?: { readonly row: string; readonly top: number }
}

/** Results of another text begin with their first page. */
export const firstPage = { offset: '', visited: [], isId: false, scan: undefined } as const

type EntryChange = Partial<UserListEntry> | ((before: UserListEntry) => Partial<UserListEntry>)

/** How the entry was come to. */
export interface Arrival {
  readonly left: UserListEntry['left'] | undefined
  /** The entry was reached by a link, so the browser leaves scrolling to the page. */
  readonly isByLink: boolean
}

/** Longer than a look at a user takes; then what was typed is forgotten. */
const rememberedMs = 30 * 60_000

/**
 * Returns the state of the current history entry. Search text is personal data: it is kept in memory only, by the
 * entry's key, next to the cached responses, and is cleared with them at sign-out; it never enters an address,
 * history.state or storage. Conditions and order are kept in history.state too (`keepView`). An entry opened from
 * another one (`state.listEntry` holds that one's key) starts with a copy of its state.
 */
export function useListEntry(segment: string) {
  const client = useQueryClient()
  const { key, state } = useLocation()
  const { subject } = usePerson()
  const [last, setNow] = useState(() => recall(client, key, state, segment, subject))
  let now = last
  if (last.key !== key) {
    now = recall(client, key, state, segment, subject)
    setNow(now)
  }
  useEffect(() => {
    keep(client, now.key, now.entry)
    const { conditions, sort, q, offset, visited } = now.entry
    // Pages of a search are of no use without its text.
    const { offset: from, visited: before } = q === '' ? { offset, visited } : firstPage
    keepView(now.key, { by: subject, conditions, sort, offset: from, visited: before })
  }, [client, now.key, now.entry, subject])
  const change = useCallback(
    (changes: EntryChange) =>
      setNow((before) => {
        if (before.key !== key) return before
        const changed = typeof changes === 'function' ? changes(before.entry) : changes
        return { ...before, entry: { ...before.entry, ...changed } }
      }),
    [key],
  )
  const taken = useRef<string>(undefined)
  const { arrival } = now
  /** Returns the arrival once, when the rows that it concerns have loaded, and undefined from then on. */
  const takeArrival = useCallback(() => {
    if (taken.current === key) return undefined
    taken.current = key
    return arrival
  }, [key, arrival])
  return { key, entry: now.entry, change, takeArrival }
}

function recall(client: QueryClient, key: string, state: unknown, segment: string, subject: string) {
  const own = client.getQueryData<UserListEntry>([...listEntriesKey, key])
  const { listEntry: from } = (state ?? {}) as { readonly listEntry?: string }
  const before =
    own ?? (from === undefined ? undefined : client.getQueryData<UserListEntry>([...listEntriesKey, from]))
  const text = before?.text ?? ''
  // A scan of another segment starts only on request.
  const q = isFull() ? text.trim() : ''
  const { conditions, sort } = { ...wholeList, ...before }
  const entry: UserListEntry =
    before?.segment === segment
      ? before
      : { segment, text, q, conditions, sort, ...firstPage, ...(before ? {} : keptView(state, subject)) }
  const arrival: Arrival = { left: entry.left, isByLink: own === undefined && from !== undefined }
  return { key, entry, arrival }
}

function keep(client: QueryClient, key: string, entry: UserListEntry): void {
  const queryKey = [...listEntriesKey, key]
  client.setQueryDefaults(listEntriesKey, { gcTime: rememberedMs })
  // The entry is created again, because its lifetime counts from creation.
  client.removeQueries({ queryKey, exact: true })
  client.setQueryData(queryKey, entry)
}

/** Part of the state that history.state keeps, so that it survives a reload. */
interface KeptView extends ListView, Trail {
  /** Subject who made the entry: another person who signs in in this tab must not see it. */
  readonly by: string
  readonly offset: string
}

/**
 * Conditions and order stand in the entry of the history itself, which a reload keeps and no address shows; but not
 * what is looked for in a sensitive property, which the browser may write to the disk with it.
 */
function keepView(entryKey: string, { conditions, ...view }: KeptView): void {
  const state = history.state as { readonly key?: string; readonly usr?: object | null } | null
  // The router's own way of keeping the state of an entry, without a navigation; the first entry has no key yet.
  if ((state?.key ?? 'default') !== entryKey) return
  const isKept = conditions.length > 0 ? !conditions.some(({ isSensitive }) => isSensitive) : view.sort
  const { list, ...usr } = (state?.usr ?? {}) as { readonly list?: unknown }
  if (isKept) history.replaceState({ ...state, usr: { ...usr, list: { ...view, conditions } } }, '')
  else if (list !== undefined) history.replaceState({ ...state, usr }, '')
}

function keptView(state: unknown, by: string): (ListView & Trail & { readonly offset: string }) | undefined {
  const { list } = (state ?? {}) as { readonly list?: KeptView }
  if (list?.by !== by) return undefined
  const { conditions, sort, offset } = list
  return { conditions, sort, offset, ...readTrail(list) }
}
