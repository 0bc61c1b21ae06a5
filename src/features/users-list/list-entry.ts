import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

import { offers } from '../../api/index.ts'
import { usePerson } from '../../auth/use-session.ts'
import { readTrail, type Trail } from './paging.ts'
import { listEntriesKey, type ListEntry, type ListView, wholeList } from '../../domain/user-list/entries.ts'
import type { Work } from '../../domain/work/use-work.ts'
import type { Scan } from './scan.ts'

/** What the list knows of an entry of the history beyond its address. */
export interface UserListEntry extends ListEntry {
  /** The page of results on screen, and those before it. */
  readonly offset: string
  readonly visited: Trail['visited']
  /** Where no search is offered: `q` is looked up as an id, or all pages are gone through in search of it. */
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
  /** By a link: the browser leaves the scrolling to the page. */
  readonly isByLink: boolean
}

/** Longer than a look at a user takes; then what was typed is forgotten. */
const rememberedMs = 30 * 60_000

/**
 * What is known of the history entry on screen. What was searched for is personal data: it is kept neither in the address
 * nor in history.state nor in any storage, but in memory by the entry's key, with the service's answers, and is
 * cleared with them at sign-out. Conditions and order stand in history.state too (`keepView`). An entry that came from
 * another (`state.listEntry`, its key) begins as that one was.
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
  /** For the rows that it is about, once they are here; `undefined` ever after. */
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
  // Going through all pages of another segment is asked for anew.
  const q = offers('users.search') ? text.trim() : ''
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
  // Made anew, since its time runs from when it was made.
  client.removeQueries({ queryKey, exact: true })
  client.setQueryData(queryKey, entry)
}

/** What an entry of the history keeps of the list, for a reload. */
interface KeptView extends ListView, Trail {
  /** Whose it is: somebody else who signs in in this tab meets none of it. */
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
