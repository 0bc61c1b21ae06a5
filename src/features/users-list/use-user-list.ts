import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate, useNavigation, useSearchParams } from 'react-router'

import type { User } from '#contract/index.ts'
import { offers } from '../../api/index.ts'
import { ahead } from '../../domain/loading.ts'
import { links } from '../../domain/links.ts'
import { userQuery, usersQuery } from '../../domain/queries/users.ts'
import { rememberList } from '../../domain/user-list/BackToList.tsx'
import type { UserSource } from '../../domain/user-list/user-pages.ts'
import type { PagerProps } from '../../ui/Pager.tsx'
import { firstPage, useListEntry } from './list-entry.ts'
import { position, type Step } from './paging.ts'
import { useScan } from './use-scan.ts'
import { userText } from '../../messages/index.ts'

const debounceMs = 120
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** What the rows are, or what stands in their place. */
export type ListState =
  | { readonly is: 'coming' | 'listed' }
  | { readonly is: 'found'; readonly isSimilar: boolean }
  | { readonly is: 'unread' | 'unknown id'; readonly error: Error; readonly retry: () => void }
  | { readonly is: 'scanned'; readonly scan: ReturnType<typeof useScan> }

/**
 * The users of a segment, or all of them, 50 at a time; or those that are found among them: by the service where it
 * searches, else by their id or by going through all pages. `focusRows` leads into the rows.
 */
export function useUserList(focusRows: () => void) {
  const location = useLocation()
  const [address] = useSearchParams()
  const segment = address.get('segment') ?? ''
  const { location: coming } = useNavigation()
  const isLeaving = coming?.pathname.endsWith(links.users()) === true
  const listEntry = useListEntry(segment)
  const { entry, change, takeArrival } = listEntry
  // The way back from a user leads here.
  useEffect(() => rememberList(location), [location])

  const isSearchOffered = offers('users.search')
  const isSearch = isSearchOffered && entry.q !== ''
  const page = usePage(segment, isSearch ? entry.q : '', listEntry)
  const { data, error, isFetching, isPlaceholderData } = page
  const search = useTyping(listEntry, page, focusRows)
  const isId = !isSearchOffered && entry.isId && entry.q !== ''
  const byId = useUserById(listEntry, isId)
  const isScan = !isSearchOffered && !isId && entry.q !== ''
  const scan = useScan(listEntry, isScan)

  const total = data?.q === '' ? (data.total ?? undefined) : undefined
  const state = ((): ListState => {
    if (isScan) return { is: 'scanned', scan }
    if (isId && byId.error) return { is: 'unknown id', error: byId.error, retry: () => void byId.refetch() }
    if (isSearch && error) return { is: 'unread', error, retry: () => void page.refetch() }
    if (!data) return { is: 'coming' }
    return data.q === '' ? { is: 'listed' } : { is: 'found', isSimilar: data.similar === true }
  })()
  const begin = (isId: boolean) => () => change({ q: search.typed, ...firstPage, isId })
  const source: UserSource = isSearch ? { search: { q: entry.q, ...(segment && { segment }) } } : { segment }
  return {
    segment,
    /** The segment that was chosen, though its users may still be on their way. */
    chosenSegment: (isLeaving ? new URLSearchParams(coming.search).get('segment') : segment) ?? '',
    /** What there is to export. */
    source,
    entry,
    change,
    takeArrival,
    search,
    state,
    rows: isScan ? scan.rows : state.is === 'unknown id' ? [] : (data?.users ?? []),
    /** What is marked in the rows. */
    marked: isScan ? entry.q : (data?.q ?? ''),
    pager: isScan ? scan.pager : state.is === 'unknown id' ? undefined : page.pager,
    /** Other rows are on their way. */
    isPending: isLeaving || (!isScan && (isPlaceholderData || isId)),
    /** The last try is running. */
    isRetrying: isFetching || byId.isFetching,
    /** How many there are, or were found. */
    count: countOf(isSearch, data, error !== null),
    total,
    /** Where nothing is searched by itself: what can be done with the text in the box. */
    offer:
      isSearchOffered || search.typed === '' || search.typed === entry.q
        ? undefined
        : // Never by itself for what may be a name or a customer's number: it would stand in the address of a request.
          { scan: begin(false), openId: /^[\w-]*\d[\w-]*$/.test(search.typed) ? begin(true) : undefined },
    scanInstead: () => change(firstPage),
  }
}

type Entry = ReturnType<typeof useListEntry>
type Page = ReturnType<typeof usePage>

/** A page of the list, or of what the service finds, and the way to the others. */
function usePage(segment: string, q: string, { entry, change }: Entry) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { state } = useLocation()
  const [address] = useSearchParams()
  const offset = address.get('offset') ?? ''
  const listed = usersQuery({ segment, offset })
  const asked = q === '' ? listed : usersQuery({ segment, offset: entry.offset, q })
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...asked,
    // Until there is something else to show, what is there stays as it is.
    placeholderData: (before) => keepPreviousData(before) ?? client.getQueryData(listed.queryKey),
    // Of a search that fails the page tells itself.
    throwOnError: (_error, query) => q === '' && query.state.data === undefined,
  })
  const isListed = data?.q === ''
  const at = isListed ? { segment, offset } : entry
  const counted = data && { ...data, total: data.atLeast === true && !isListed ? undefined : data.total }
  const here = counted && position(counted, at, isListed ? state : entry)
  const go = (step: Step | undefined) =>
    step &&
    (() => {
      if (isListed) return void navigate(step.to, { state: step.state })
      change({ offset: step.offset, visited: step.state.visited })
      window.scrollTo(0, 0)
    })
  const pager: ListPager | undefined = here &&
    (here.first ?? here.previous ?? here.next) && {
      ...here.range,
      total: counted?.total ?? undefined,
      onFirst: go(here.first),
      onPrevious: go(here.previous),
      onNext: go(here.next),
      isWayBackUnknown: isListed && here.isWayBackUnknown,
      readNext: () => {
        const next = here.next && { segment, offset: here.next.offset, q: data?.q }
        // A failure is met again, and told, when the page is really wanted.
        if (next) ahead(client.query(usersQuery(next)))
      },
    }
  return { data, error, refetch, isFetching, isPlaceholderData, pager }
}

export interface ListPager extends PagerProps {
  /** Opened in the middle: there are pages before, but nobody knows which. */
  readonly isWayBackUnknown?: boolean
  readonly readNext?: () => void
}

/** The search box: its text is searched for once nothing more is typed for a moment, or with Enter at once. */
function useTyping({ entry, change }: Entry, page: Page, focusRows: () => void) {
  const navigate = useNavigate()
  /** What to do with the first row once it is there. */
  const intent = useRef<'open' | 'rows'>(undefined)
  const isSearchOffered = offers('users.search')
  const { q, text } = entry
  const typed = text.trim()
  useEffect(() => {
    if (!isSearchOffered || typed === q) return undefined
    const timer = setTimeout(() => change({ q: typed, ...firstPage }), debounceMs)
    return () => clearTimeout(timer)
  }, [isSearchOffered, typed, q, change])

  const { data, error, refetch, isFetching, isPlaceholderData } = page
  const isHere = typed === q && !isPlaceholderData && !isFetching
  const act = (next: 'open' | 'rows') => {
    const certain = data && data.similar !== true ? certainOne(data.users, q) : undefined
    if (error) void refetch()
    else if (next === 'open' && certain) {
      change({ left: { row: certain.id, top: window.scrollY } })
      void navigate(links.user(certain.id))
    } else focusRows()
  }
  useEffect(() => {
    const { current } = intent
    if (current === undefined || !isHere) return
    intent.current = undefined
    act(current)
  })

  /** At once, without waiting for more to be typed. */
  const search = (next: 'open' | 'rows') => {
    if (isSearchOffered && isHere) act(next)
    else if (isSearchOffered) intent.current = next
    if (typed !== q) change({ q: typed, ...firstPage, isId: !isSearchOffered && uuid.test(typed) })
    else if (!isSearchOffered) focusRows()
  }
  return {
    text,
    typed,
    onChange: (text: string) => {
      intent.current = undefined
      change(text.trim() === '' ? { text, q: '', ...firstPage } : { text })
    },
    onEnter: () => typed !== '' && search('open'),
    onDown: () => (isSearchOffered && typed !== '' ? search('rows') : focusRows()),
  }
}

/** The user who is meant beyond doubt: the only one found, or the one who has this very e-mail, ref or id. */
function certainOne(users: readonly User[], q: string): User | undefined {
  const [first] = users
  if (!first || users.length === 1) return first
  const isSame = (value: string | null | undefined) => value?.toLowerCase() === q.toLowerCase()
  return isSame(first.email) || isSame(first.ref) || isSame(first.id) ? first : undefined
}

/** Opens the user whose id stands in the box. */
function useUserById({ entry: { q }, change }: Entry, isId: boolean) {
  const navigate = useNavigate()
  const { data, error, refetch, isFetching } = useQuery({ ...userQuery(q), enabled: isId })
  const isFound = isId && data !== undefined
  const open = useEffectEvent(() => {
    // Back leads to the list, not here again.
    change({ q: '', ...firstPage })
    void navigate(links.user(q))
  })
  useEffect(() => {
    if (isFound) open()
  }, [isFound])
  return { error, refetch, isFetching }
}

function countOf(isSearch: boolean, data: Page['data'], isFailed: boolean): string | undefined {
  if (data === undefined || (data.q === '') === isSearch)
    return isSearch && !isFailed ? userText.search.searching : undefined
  if (isSearch) return userText.search.found(data.total ?? undefined, data.atLeast === true)
  return typeof data.total === 'number' ? userText.total(data.total) : undefined
}
