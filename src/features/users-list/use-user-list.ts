import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate, useNavigation, useSearchParams } from 'react-router'

import { usersPerPage } from '#contract/index.ts'
import { isFull } from '../../api/index.ts'
import { usePerson } from '../../auth/use-session.ts'
import { links } from '../../domain/links.ts'
import { userQuery } from '../../domain/queries/users.ts'
import { rememberList } from '../../domain/user-list/BackToList.tsx'
import {
  audienceOf,
  type ListPlace,
  type ListView,
  placeState,
  searchOf,
  type UserSort,
} from '../../domain/user-list/list-state.ts'
import type { UserSource } from '../../domain/user-list/user-pages.ts'
import { userText } from '../../messages/index.ts'
import type { Order } from '../../ui/DataTable.tsx'
import { usePage } from './paging.ts'
import { type ListStore, useListState } from './use-list-state.ts'

const searchDelayMs = 120
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Kind of the rows, or of the content in place of them. */
type ListContent =
  | { readonly is: 'coming' | 'listed' | 'scanned' }
  | { readonly is: 'found'; readonly isSimilar: boolean }
  | { readonly is: 'unread' | 'unknown id'; readonly error: Error; readonly retry: () => void }

/**
 * Returns all users or those of a segment, 50 at a time, or the matches of a search. The service searches if it can;
 * otherwise a user is found by id or by scanning all pages.
 */
export function useUserList() {
  const client = useQueryClient()
  const location = useLocation()
  const [address] = useSearchParams()
  const segment = address.get('segment') ?? ''
  const { location: nextLocation } = useNavigation()
  const isLeaving = nextLocation?.pathname.endsWith(links.users()) === true
  const isSearchable = isFull()
  const store = useListState(segment, isSearchable)
  const { key, list, dispatch, takeArrival } = store
  // Remembers this list, because the way back from a user leads here.
  useEffect(() => rememberList(client, location), [client, location])

  const { subject } = usePerson()
  const search = searchOf(list)
  const page = usePage(segment, search, store)
  const { data, error } = page
  const { local } = list
  const scan = local && !local.isId ? pickMatches(store, client) : undefined
  const place: ListPlace | undefined = scan ? undefined : { ...page.place, by: subject, listEntry: key }
  const byId = useUserById(store)
  const box = useSearchBox(store, { isSearchable, page, place })

  const isNarrowed = data !== undefined && (data.q !== '' || data.isFiltered)
  const content = ((): ListContent => {
    if (scan) return { is: 'scanned' }
    if (byId.error) return { is: 'unknown id', error: byId.error, retry: () => void byId.refetch() }
    if (search && error) return { is: 'unread', error, retry: () => void page.refetch() }
    if (!data) return { is: 'coming' }
    return isNarrowed ? { is: 'found', isSimilar: data.similar === true } : { is: 'listed' }
  })()
  const isUnknownId = content.is === 'unknown id'
  const source: UserSource = search ? { search } : { segment }
  const rows = scan ? scan.rows : isUnknownId ? [] : (data?.users ?? [])
  const show = (view: Partial<ListView>) => dispatch({ is: 'show', view })
  return {
    segment,
    /** Id of the chosen segment, even while its users are still loading. */
    chosenSegment: (isLeaving ? new URLSearchParams(nextLocation.search).get('segment') : segment) ?? '',
    /** Users that an export of this list covers. */
    source,
    /** Whether the service supports search, filters, sorting, bulk changes and property columns. */
    isFull: isSearchable,
    store,
    list,
    takeArrival,
    box,
    content,
    rows,
    marked: scan && local ? local.text : (data?.q ?? ''),
    place,
    /** Sort order of the rows; undefined if they cannot be sorted. Search results are ordered by relevance. */
    order: isSearchable && data?.q === '' ? orderBy(list.sort, (sort) => show({ sort })) : undefined,
    pager: scan ? scan.pager : isUnknownId ? undefined : page.pager,
    isPending: isLeaving || (!scan && (page.isPlaceholderData || local !== undefined)),
    /** Whether a request, such as a retry, is running. */
    isRetrying: page.isFetching || byId.isFetching,
    /** Text with the number of users listed or found. */
    count: countText(search?.q !== undefined || search?.filter !== undefined, data, error !== null),
    total: data && !isNarrowed ? (data.total ?? undefined) : undefined,
    /** Number of listed users, if a bulk change can address them all. */
    matching:
      rows.length > 0 && audienceOf(list) && data?.atLeast !== true ? (data?.total ?? undefined) : undefined,
    scanInstead: () => dispatch({ is: 'search locally', text: local?.text ?? '', isId: false }),
    leave: (row: string) => dispatch({ is: 'leave', row, top: window.scrollY }),
    /** Applies other conditions or another order. */
    show,
  }
}

export type UserListView = ReturnType<typeof useUserList>

/**
 * Cycles the order of a column: the first press sorts by it, the second reverses it, the third restores the service's
 * order.
 */
function orderBy(sort: UserSort | undefined, onChange: (sort: UserSort | undefined) => void): Order {
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

const focusRows = () => document.querySelector<HTMLElement>('a[data-row-link]')?.focus()

type PageRead = ReturnType<typeof usePage>

interface SearchBoxSurroundings {
  readonly isSearchable: boolean
  readonly page: PageRead
  readonly place: ListPlace | undefined
}

/**
 * State of the search box. A service that can search is queried after a debounce, or at once on Enter. On another
 * service the text is opened as an id or searched for in all pages, but only on request.
 */
function useSearchBox({ list, dispatch }: ListStore, { isSearchable, page, place }: SearchBoxSurroundings) {
  const navigate = useNavigate()
  /** Action of a key pressed before the results arrived: open the first row, or focus the rows. */
  const intent = useRef<'open' | 'rows'>(undefined)
  const { text } = list
  const typed = text.trim()
  const searched = isSearchable ? list.q : (list.local?.text ?? '')
  useEffect(() => {
    if (!isSearchable || typed === searched) return undefined
    const timer = setTimeout(() => dispatch({ is: 'search', q: typed }), searchDelayMs)
    return () => clearTimeout(timer)
  }, [isSearchable, typed, searched, dispatch])

  const { data, error, refetch, isFetching, isPlaceholderData } = page
  const isHere = typed === searched && !isPlaceholderData && !isFetching
  const act = (next: 'open' | 'rows') => {
    // A user with a merely similar name may be somebody else, so Enter does not open them.
    const hit = data?.similar === true ? undefined : data?.users[0]
    if (error) void refetch()
    else if (next === 'open' && hit) {
      dispatch({ is: 'leave', row: hit.id, top: window.scrollY })
      void navigate(links.user(hit.id), { state: placeState(place) })
    } else focusRows()
  }
  useEffect(() => {
    const { current } = intent
    if (current === undefined || !isHere) return
    intent.current = undefined
    act(current)
  })

  const searchLocally = (isId: boolean) => () => dispatch({ is: 'search locally', text: typed, isId })
  /** Searches at once, without the debounce. */
  const search = (next: 'open' | 'rows') => {
    if (isHere) return act(next)
    intent.current = next
    if (typed !== searched) dispatch({ is: 'search', q: typed })
  }
  const onEnter = () => {
    if (typed === '') return
    if (isSearchable) search('open')
    else if (typed === searched) focusRows()
    else searchLocally(uuid.test(typed))()
  }
  return {
    text,
    onChange: (next: string) => {
      intent.current = undefined
      dispatch({ is: 'type', text: next })
    },
    onEnter,
    onDown: () => (isSearchable && typed !== '' ? search('rows') : focusRows()),
    /** Actions for the text, on a service without search. */
    offer:
      isSearchable || typed === '' || typed === searched
        ? undefined
        : {
            scan: searchLocally(false),
            // An id is only looked up on request, because a name or number in the box would otherwise appear in a
            // request URL.
            openId: /^[\w-]*\d[\w-]*$/.test(typed) ? searchLocally(true) : undefined,
          },
  }
}

function useUserById({ list: { local }, dispatch }: ListStore) {
  const navigate = useNavigate()
  const isId = local?.isId === true
  const id = local?.text ?? ''
  const { data, error, refetch, isFetching } = useQuery({ ...userQuery(id), enabled: isId })
  const isFound = isId && data !== undefined
  const open = useEffectEvent(() => {
    // Clears the search first, so that Back leads to the list instead of opening the user again.
    dispatch({ is: 'search', q: '' })
    void navigate(links.user(id))
  })
  useEffect(() => {
    if (isFound) open()
  }, [isFound])
  return { error: isId ? error : null, refetch, isFetching }
}

function countText(isSearch: boolean, data: PageRead['data'], isFailed: boolean): string | undefined {
  if (data === undefined || (data.q !== '' || data.isFiltered) !== isSearch)
    return isSearch && !isFailed ? userText.search.searching : undefined
  const { total, atLeast } = data
  if (typeof total !== 'number') return isSearch ? userText.search.foundSome : undefined
  if (!isSearch) return userText.total({ count: total })
  return atLeast === true ? userText.search.foundMore({ total }) : userText.search.found({ total })
}

function pickMatches({ list, dispatch }: ListStore, client: QueryClient) {
  const matches = list.local?.scan.progress?.matches ?? []
  const from = Number(list.offset)
  const to = Math.min(from + usersPerPage, matches.length)
  const goTo = (offset: number) => () => {
    dispatch({ is: 'turn', page: { offset: String(offset), visited: [] } })
    window.scrollTo(0, 0)
  }
  return {
    // Prefers the cached user, which is newer if the user was opened after the scan.
    rows: matches
      .slice(from, to)
      .map((user) => client.getQueryData(userQuery(user.id).queryKey)?.user ?? user),
    pager:
      matches.length > usersPerPage
        ? {
            from: from + 1,
            to,
            total: matches.length,
            onFirst: from > 0 ? goTo(0) : undefined,
            onPrevious: from > 0 ? goTo(from - usersPerPage) : undefined,
            onNext: to < matches.length ? goTo(to) : undefined,
          }
        : undefined,
  }
}
