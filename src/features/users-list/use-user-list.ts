import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigation, useSearchParams } from 'react-router'

import type { UserList } from '#contract/index.ts'
import { peek } from '../../api/index.ts'
import { usePerson } from '../../auth/use-session.ts'
import { links } from '../../domain/links.ts'
import { prefetch } from '../../domain/page-route.ts'
import { usersQuery } from '../../domain/queries/users.ts'
import { rememberList } from '../../domain/user-list/BackToList.tsx'
import {
  audienceOf,
  type ListPlace,
  type ListView,
  type PageAt,
  placeState,
  readVisited,
  searchOf,
  type UserSort,
  type VisitedPages,
} from '../../domain/user-list/list-state.ts'
import { nextOffset, type UserSource } from '../../domain/user-list/user-pages.ts'
import { userText } from '../../messages/index.ts'
import type { Order } from '../../ui/DataTable.tsx'
import type { PagerProps } from '../../ui/Pager.tsx'
import { type ListStore, useListState } from './use-list-state.ts'

const searchDelayMs = 120

/** Kind of the rows, or of the content in place of them. */
type ListContent =
  | { readonly is: 'coming' | 'listed' }
  | { readonly is: 'found'; readonly isSimilar: boolean }
  | {
      readonly is: 'unread'
      readonly query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>
    }

/** Returns all users or those of a segment, 50 at a time, or the matches of a search, which only a full service has. */
export function useUserList() {
  const client = useQueryClient()
  const location = useLocation()
  const { location: nextLocation } = useNavigation()
  const isLeaving = nextLocation?.pathname.endsWith(links.users()) === true
  const store = useListState()
  const { key, list, dispatch } = store
  const { segment } = list
  // Remembers this list, because the way back from a user leads here.
  useEffect(() => rememberList(client, location), [client, location])

  const { subject } = usePerson()
  const search = searchOf(list)
  const page = usePage(search, store)
  const { data, error } = page
  const place: ListPlace = { ...page.place, by: subject, listEntry: key }
  const box = useSearchBox(store, page, place)

  const isNarrowed = data !== undefined && (data.q !== '' || data.isFiltered)
  const content = ((): ListContent => {
    if (search && error) return { is: 'unread', query: page }
    if (!data) return { is: 'coming' }
    return isNarrowed ? { is: 'found', isSimilar: data.similar === true } : { is: 'listed' }
  })()
  const rows = data?.users ?? []
  const show = (view: Partial<ListView>) => dispatch({ is: 'show', view })
  return {
    ...store,
    segment,
    /** Id of the chosen segment, even while its users are still loading. */
    chosenSegment: (isLeaving ? new URLSearchParams(nextLocation.search).get('segment') : segment) ?? '',
    isSearch: search !== undefined,
    box,
    content,
    rows,
    marked: data?.q ?? '',
    place,
    /** Sort order of the rows; undefined if they cannot be sorted. Search results are ordered by relevance. */
    order: store.isFull && data?.q === '' ? orderBy(list.sort, (sort) => show({ sort })) : undefined,
    pager: page.pager,
    isPending: isLeaving || page.isPlaceholderData,
    /** Text with the number of users listed or found. */
    count: countText(search?.q !== undefined || search?.filter !== undefined, data, error !== null),
    /** Number of listed users, if a bulk change can address them all. */
    matching:
      rows.length > 0 && audienceOf(list) && data?.atLeast !== true ? (data?.total ?? undefined) : undefined,
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

/** State of the search box. The service is queried after a debounce, or at once on Enter. */
function useSearchBox({ list, dispatch }: ListStore, page: PageRead, place: ListPlace) {
  const navigate = useNavigate()
  /** Action of a key pressed before the results arrived: open the first row, or focus the rows. */
  const intent = useRef<'open' | 'rows'>(undefined)
  const { text, q: searched } = list
  const typed = text.trim()
  useEffect(() => {
    if (typed === searched) return undefined
    const timer = setTimeout(() => dispatch({ is: 'search', q: typed }), searchDelayMs)
    return () => clearTimeout(timer)
  }, [typed, searched, dispatch])

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

  /** Searches at once, without the debounce. */
  const search = (next: 'open' | 'rows') => {
    if (isHere) return act(next)
    intent.current = next
    if (typed !== searched) dispatch({ is: 'search', q: typed })
  }
  return {
    text,
    onChange: (next: string) => {
      intent.current = undefined
      dispatch({ is: 'type', text: next })
    },
    onEnter: () => {
      if (typed !== '') search('open')
    },
    onDown: () => (typed === '' ? focusRows() : search('rows')),
  }
}

function countText(isSearch: boolean, data: PageRead['data'], isFailed: boolean): string | undefined {
  if (data === undefined || (data.q !== '' || data.isFiltered) !== isSearch)
    return isSearch && !isFailed ? userText.search.searching : undefined
  const { total, atLeast } = data
  if (typeof total !== 'number') return isSearch ? userText.search.foundSome : undefined
  if (!isSearch) return userText.total({ count: total })
  return atLeast === true ? userText.search.foundMore({ total }) : userText.search.found({ total })
}

function usePage(search: UserSource['search'], { list, dispatch }: ListStore) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { state } = useLocation()
  const [address] = useSearchParams()
  const offset = address.get('offset') ?? ''
  const { segment } = list
  const listed = usersQuery({ segment, offset })
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...(search ? usersQuery({ segment, ...search, offset: list.offset }) : listed),
    // Keeps the current rows until the next ones have loaded.
    placeholderData: (before) => keepPreviousData(before) ?? peek(client, listed),
    // A failed search is reported in the page, not by the error boundary.
    throwOnError: (_error, query) => !search && query.state.data === undefined,
  })
  const isListed = data?.isList === true
  const at: PageAt = isListed
    ? { offset, visited: readVisited(state) }
    : { offset: list.offset, visited: list.visited }
  const counted = data && { ...data, total: data.atLeast === true && !isListed ? undefined : data.total }
  const position = counted && locatePage(counted, at)
  const goTo = (page: PageAt | undefined) =>
    page &&
    (() => {
      // Pages of the plain list are history entries. Pages of a search are not, because no URL contains the search.
      if (isListed)
        return void navigate(links.users({ segment, offset: page.offset }), {
          state: { visited: page.visited },
        })
      dispatch({ is: 'turn', page })
      window.scrollTo(0, 0)
    })
  const pager: ListPager | undefined = position &&
    (position.first ?? position.previous ?? position.next) && {
      ...position.range,
      total: counted?.total ?? undefined,
      onFirst: goTo(position.first),
      onPrevious: goTo(position.previous),
      onNext: goTo(position.next),
      isWayBackUnknown: isListed && position.isWayBackUnknown,
      prefetchNext: () => {
        const next = position.next && { segment, ...search, offset: position.next.offset }
        // If the prefetch fails, opening the page fails again and reports it.
        if (next) prefetch(client.query(usersQuery(next)))
      },
    }
  const isPersonal = search?.q !== undefined || list.conditions.some(({ isSensitive }) => isSensitive)
  const place = { asked: isPersonal ? undefined : { segment, ...search }, ...at }
  return { data, error, refetch, isFetching, isPlaceholderData, place, pager }
}

export interface ListPager extends PagerProps {
  readonly isWayBackUnknown?: boolean
  readonly prefetchNext?: () => void
}

export function locatePage(page: UserList, at: PageAt) {
  const { offset } = at
  const visited = offset === '' ? [] : at.visited
  const before = visited.at(-1)
  const next = nextOffset(page, new Set([...visited.map((each) => each.offset), offset]))
  const first: PageAt | undefined = offset === '' ? undefined : { offset: '', visited: [] }
  const previous: PageAt | undefined = before && { offset: before.offset, visited: visited.slice(0, -1) }
  return {
    first,
    previous,
    next:
      next === undefined
        ? undefined
        : { offset: next, visited: [...visited, { offset, rows: page.users.length }] },
    /** Range of the rows, counted from 1; undefined if unknown. */
    range: countRange(page, next !== undefined, (visited[0]?.offset ?? offset) === '' ? visited : undefined),
    /** Whether the list was opened in the middle, so that earlier pages exist but their offsets are unknown. */
    isWayBackUnknown: offset !== '' && before === undefined,
  }
}

/**
 * Returns the range of the rows. Undefined if it contradicts the total, because users may have been added or removed
 * since the earlier pages were read.
 */
function countRange(page: UserList, hasNext: boolean, visited: VisitedPages | undefined) {
  if (!visited || page.users.length === 0) return undefined
  const before = visited.reduce((sum, { rows }) => sum + rows, 0)
  const to = before + page.users.length
  const { total } = page
  if (typeof total === 'number' && (hasNext ? to >= total : to !== total)) return undefined
  return { from: before + 1, to }
}
