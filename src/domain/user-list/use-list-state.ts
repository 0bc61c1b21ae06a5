import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Location, useLocation } from 'react-router'

import { isFull } from '../../api/index.ts'
import { usePerson } from '../../auth/use-session.ts'
import {
  isFromList,
  type ListAction,
  type ListState,
  readHistory,
  readMemory,
  recallList,
  reduceList,
  toHistory,
  wholeList,
  writeMemory,
} from './list-state.ts'

/**
 * Returns the list's state for the current history entry. An entry opened from another one (`state.listEntry` holds
 * its key) starts with a copy of that entry's state. After a reload, an entry starts with the state stored in it.
 */
export function useListState() {
  const client = useQueryClient()
  const location = useLocation()
  const { subject } = usePerson()
  const { key } = location
  const readState = () => ({ key, ...findState(client, location, subject) })
  const [last, setNow] = useState(readState)
  let now = last
  if (last.key !== key) {
    now = readState()
    setNow(now)
  }
  useEffect(() => {
    writeMemory(client, now.key, now.list)
    writeHistory(now.key, now.list, subject)
  }, [client, now.key, now.list, subject])
  const dispatch = useCallback(
    (action: ListAction) =>
      setNow((before) =>
        before.key === key ? { ...before, list: reduceList(before.list, action) } : before,
      ),
    [key],
  )
  const taken = useRef<string>(undefined)
  const { arrival } = now
  /** Returns the arrival to the first caller, and undefined from then on. Called once the rows have loaded. */
  const takeArrival = useCallback(() => {
    if (taken.current === key) return undefined
    taken.current = key
    return arrival
  }, [key, arrival])
  return { key, isFull: isFull(), list: now.list, dispatch, takeArrival }
}

export type ListStore = ReturnType<typeof useListState>

function findState(client: QueryClient, { key, state, search }: Location, subject: string) {
  const segment = new URLSearchParams(search).get('segment') ?? ''
  const own = readMemory(client, key)
  const before: Partial<ListState> | undefined = own ?? recallList(client, state)
  const { text = '', conditions = [], sort } = before ?? {}
  const list: ListState =
    before?.segment === segment
      ? { ...wholeList, ...before }
      : {
          ...wholeList,
          segment,
          text,
          q: text.trim(),
          ...(before ? { conditions, sort } : readHistory(state, subject)),
        }
  /** `isByLink`: the entry was reached by a link, so that the browser does not restore its scroll position. */
  const arrival = { left: list.left, isByLink: own === undefined && isFromList(state) }
  return { list, arrival }
}

/** Stores the list's state in the history entry without a navigation, in the same form as the router does. */
function writeHistory(entryKey: string, list: ListState, by: string): void {
  const state = history.state as { readonly key?: string; readonly usr?: object | null } | null
  // The first history entry of a tab has no key yet.
  if ((state?.key ?? 'default') !== entryKey) return
  const { list: before, ...usr } = (state?.usr ?? {}) as { readonly list?: unknown }
  const kept = toHistory(list, by)
  if (kept) history.replaceState({ ...state, usr: { ...usr, ...kept } }, '')
  else if (before !== undefined) history.replaceState({ ...state, usr }, '')
}
