import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

import type { UserList } from '#contract/index.ts'
import { links } from '../../domain/links.ts'
import { prefetch } from '../../domain/loading.ts'
import { usersQuery } from '../../domain/queries/users.ts'
import { type PageAt, readVisited, type VisitedPages } from '../../domain/user-list/list-state.ts'
import { nextOffset, type UserSource } from '../../domain/user-list/user-pages.ts'
import type { PagerProps } from '../../ui/Pager.tsx'
import type { ListStore } from './use-list-state.ts'

export function usePage(segment: string, search: UserSource['search'], { list, dispatch }: ListStore) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { state } = useLocation()
  const [address] = useSearchParams()
  const offset = address.get('offset') ?? ''
  const listed = usersQuery({ segment, offset })
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...(search ? usersQuery({ segment, ...search, offset: list.offset }) : listed),
    // Keeps the current rows until the next ones have loaded.
    placeholderData: (before) => keepPreviousData(before) ?? client.getQueryData(listed.queryKey),
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
