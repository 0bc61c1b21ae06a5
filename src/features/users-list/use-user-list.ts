import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate, useNavigation, useSearchParams } from 'react-router'

import { usersPerPage } from '#contract/index.ts'
import { isFull } from '../../api/index.ts'
import { usePerson } from '../../auth/use-session.ts'
import { links } from '../../domain/links.ts'
import { userQuery } from '../../domain/queries/users.ts'
import { rememberList } from '../../domain/user-list/BackToList.tsx'
import { type ListView, namedBy, searchOf, type UserSort } from '../../domain/user-list/entries.ts'
import { type ListPlace, placeState } from '../../domain/user-list/place.ts'
import type { UserSource } from '../../domain/user-list/user-pages.ts'
import { userText } from '../../messages/index.ts'
import type { Order } from '../../ui/DataTable.tsx'
import { firstPage, useListEntry, type UserListEntry } from './list-entry.ts'
import { usePage } from './use-page.ts'

const debounceMs = 120
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** State of the rows, or of the content shown instead of them. */
export type ListState =
  | { readonly is: 'coming' | 'listed' | 'scanned' }
  | { readonly is: 'found'; readonly isSimilar: boolean }
  | { readonly is: 'unread' | 'unknown id'; readonly error: Error; readonly retry: () => void }

/**
 * The users of a segment, or all of them, 50 at a time; or those that are found among them: by the service where it
 * searches, else by their id or by going through all pages. `focusRows` leads into the rows.
 */
export function useUserList(focusRows: () => void) {
  const client = useQueryClient()
  const location = useLocation()
  const [address] = useSearchParams()
  const segment = address.get('segment') ?? ''
  const { location: coming } = useNavigation()
  const isLeaving = coming?.pathname.endsWith(links.users()) === true
  const listEntry = useListEntry(segment)
  const { entry, change, takeArrival } = listEntry
  // The way back from a user leads here.
  useEffect(() => rememberList(client, location), [client, location])

  const { subject } = usePerson()
  const isSearchOffered = isFull()
  const asked = searchOf(entry)
  const isSearch = asked?.q !== undefined || asked?.filter !== undefined
  const page = usePage(segment, asked, listEntry)
  const { data, error, isFetching } = page
  const place: ListPlace | undefined = isScanned(entry)
    ? undefined
    : { ...page.place, by: subject, listEntry: listEntry.key }
  const search = useTyping(listEntry, page, place, focusRows)
  const isId = !isSearchOffered && entry.isId && entry.q !== ''
  const byId = useUserById(listEntry, isId)
  const isScan = !isId && isScanned(entry)
  const scan = isScan ? scannedPage(listEntry, client) : undefined

  const isNarrowed = data !== undefined && (data.q !== '' || data.isFiltered)
  const total = data && !isNarrowed ? (data.total ?? undefined) : undefined
  const state = ((): ListState => {
    if (isScan) return { is: 'scanned' }
    if (isId && byId.error) return { is: 'unknown id', error: byId.error, retry: () => void byId.refetch() }
    if (asked && error) return { is: 'unread', error, retry: () => void page.refetch() }
    if (!data) return { is: 'coming' }
    return isNarrowed ? { is: 'found', isSimilar: data.similar === true } : { is: 'listed' }
  })()
  const begin = (isId: boolean) => () => change({ q: search.typed, ...firstPage, isId })
  const source: UserSource = asked ? { search: asked } : { segment }
  return {
    segment,
    /** The segment that was chosen, though its users may still be on their way. */
    chosenSegment: (isLeaving ? new URLSearchParams(coming.search).get('segment') : segment) ?? '',
    /** Users that an export of this list covers. */
    source,
    listEntry,
    entry,
    change,
    takeArrival,
    search,
    state,
    rows: scan ? scan.rows : state.is === 'unknown id' ? [] : (data?.users ?? []),
    /** Text to highlight in the rows. */
    marked: isScan ? entry.q : (data?.q ?? ''),
    place,
    /** Sort order of the rows; undefined for search results, which are ordered by relevance. */
    order:
      isFull() && data?.q === '' ? orderOf(entry.sort, (sort) => change({ sort, ...firstPage })) : undefined,
    pager: scan ? scan.pager : state.is === 'unknown id' ? undefined : page.pager,
    /** Other rows are on their way. */
    isPending: isLeaving || (!isScan && (page.isPlaceholderData || isId)),
    /** The last try is running. */
    isRetrying: isFetching || byId.isFetching,
    /** How many there are, or were found. */
    count: countOf(isSearch, data, error !== null),
    total,
    /** How many are listed, where conditions or a segment alone say who they are. */
    matching: matchingOf(entry, data),
    /** Actions for the text in the box, on a service without search. */
    offer:
      isSearchOffered || search.typed === '' || search.typed === entry.q
        ? undefined
        : // Never by itself for what may be a name or a customer's number: it would stand in the address of a request.
          { scan: begin(false), openId: /^[\w-]*\d[\w-]*$/.test(search.typed) ? begin(true) : undefined },
    scanInstead: () => change(firstPage),
    /** Other conditions, or another order. */
    show: (view: Partial<ListView>) => change({ ...view, ...firstPage }),
  }
}

function matchingOf(entry: UserListEntry, data: Page['data']): number | undefined {
  return namedBy(entry) && data?.atLeast !== true ? (data?.total ?? undefined) : undefined
}

/** Without a search in the service, pages are scanned for the text. */
const isScanned = ({ q }: UserListEntry) => q !== '' && !isFull()

/** One press orders by a column, a second one the other way round, a third one as before. */
function orderOf(sort: UserSort | undefined, onChange: (sort: UserSort | undefined) => void): Order {
  const isDescending = sort?.startsWith('-') === true
  const by = isDescending ? sort.slice(1) : sort
  return {
    by,
    isDescending,
    onSort: (column) => {
      const next = column !== by ? column : isDescending ? undefined : `-${column}`
      onChange(next as UserSort | undefined)
    },
  }
}

type Entry = ReturnType<typeof useListEntry>
type Page = ReturnType<typeof usePage>

/** The search box: its text is searched for once nothing more is typed for a moment, or with Enter at once. */
function useTyping(
  { entry, change }: Entry,
  page: Page,
  place: ListPlace | undefined,
  focusRows: () => void,
) {
  const navigate = useNavigate()
  /** Key pressed before the results arrived: open the first row, or focus the rows. */
  const intent = useRef<'open' | 'rows'>(undefined)
  const isSearchOffered = isFull()
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
    // A similar match may be a different person, so opening it is left to the person.
    const hit = data?.similar === true ? undefined : data?.users[0]
    if (error) void refetch()
    else if (next === 'open' && hit) {
      change({ left: { row: hit.id, top: window.scrollY } })
      void navigate(links.user(hit.id), { state: placeState(place) })
    } else focusRows()
  }
  useEffect(() => {
    const { current } = intent
    if (current === undefined || !isHere) return
    intent.current = undefined
    act(current)
  })

  /** Searches at once, without waiting for further typing. */
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

/** Opens the user whose id is in the box. */
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
  if (data === undefined || (data.q !== '' || data.isFiltered) !== isSearch)
    return isSearch && !isFailed ? userText.search.searching : undefined
  if (isSearch) return userText.search.found(data.total ?? undefined, data.atLeast === true)
  return typeof data.total === 'number' ? userText.total(data.total) : undefined
}

/** Matches of the scan on the current page, with navigation to the others. */
function scannedPage({ entry, change }: ReturnType<typeof useListEntry>, client: QueryClient) {
  const matches = entry.scan?.progress?.matches ?? []
  const from = Number(entry.offset)
  const to = Math.min(from + usersPerPage, matches.length)
  const go = (offset: number) => () => {
    change({ offset: String(offset) })
    window.scrollTo(0, 0)
  }
  return {
    // Somebody opened meanwhile has been read since.
    rows: matches
      .slice(from, to)
      .map((user) => client.getQueryData(userQuery(user.id).queryKey)?.user ?? user),
    pager:
      matches.length > usersPerPage
        ? {
            from: from + 1,
            to,
            total: matches.length,
            onFirst: from > 0 ? go(0) : undefined,
            onPrevious: from > 0 ? go(from - usersPerPage) : undefined,
            onNext: to < matches.length ? go(to) : undefined,
          }
        : undefined,
  }
}
