import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation, useNavigate, useNavigation, useSearchParams } from 'react-router'

import { usePerson } from '../../auth/use-session.ts'
import { links } from '../../domain/links.ts'
import { prefetch } from '../../domain/page-route.ts'
import { narrowedUsersQuery, usersQuery } from '../../domain/queries/users.ts'
import { rememberList } from '../../domain/user-list/BackToList.tsx'
import { type ListPlace, searchOf } from '../../domain/user-list/list-state.ts'
import { locatePage, type PageAt, readVisited } from '../../domain/user-list/paging.ts'
import type { ListStore } from '../../domain/user-list/use-list-state.ts'
import type { PagerProps } from '../../ui/Pager.tsx'

export type UserRows = ReturnType<typeof useUserRows>

/** Returns all users or those of a segment, 50 at a time, or the matches of a search, and the way to other pages. */
export function useUserRows({ key, list, dispatch }: ListStore) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const location = useLocation()
  const [address] = useSearchParams()
  const isLeaving = useComingList() !== undefined
  const { subject } = usePerson()
  // Remembers this list, because the way back from a user leads here.
  useEffect(() => rememberList(client, location), [client, location])

  const { segment } = list
  const plain = { segment, offset: address.get('offset') ?? '' }
  const search = searchOf(list)
  const query = useQuery({
    ...narrowedUsersQuery(client, plain, search && { segment, ...search, offset: list.offset }),
    // A failed search is reported in the page, not by the error boundary.
    throwOnError: (_error, { state }) => !search && state.data === undefined,
  })
  const { data: answer, isPlaceholderData } = query
  const isListed = answer?.isList === true
  const at: PageAt = isListed
    ? { offset: plain.offset, visited: readVisited(location.state) }
    : { offset: list.offset, visited: list.visited }
  const isPersonal = search?.q !== undefined || list.conditions.some(({ isSensitive }) => isSensitive)
  const place: ListPlace = {
    by: subject,
    listEntry: key,
    query: isPersonal ? undefined : { segment, ...search },
    ...at,
  }

  // The total of a search may be a lower bound; the plain list's is exact.
  const counted = answer && {
    ...answer,
    total: answer.atLeast === true && !isListed ? undefined : answer.total,
  }
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
  return {
    /** Answer that the rows are of: the page before until this one is there, undefined until any is. */
    answer,
    rows: answer?.users ?? [],
    query,
    place,
    pager,
    /** Whether the rows are of the list before. */
    isPending: isLeaving || isPlaceholderData,
  }
}

export interface ListPager extends PagerProps {
  readonly isWayBackUnknown?: boolean
  readonly prefetchNext?: () => void
}

/** Returns the parameters of the list that a navigation leads to, while its users are still loading. */
export function useComingList(): URLSearchParams | undefined {
  const { location } = useNavigation()
  return location?.pathname.endsWith(links.users()) === true
    ? new URLSearchParams(location.search)
    : undefined
}
