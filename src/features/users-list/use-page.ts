import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

import { ahead } from '../../domain/loading.ts'
import { usersQuery } from '../../domain/queries/users.ts'
import type { UserSource } from '../../domain/user-list/user-pages.ts'
import type { PagerProps } from '../../ui/Pager.tsx'
import type { useListEntry } from './list-entry.ts'
import { position, readTrail, type Step } from './paging.ts'

/** A page of the list or of search results, with navigation to the others. */
export function usePage(
  segment: string,
  search: UserSource['search'],
  { entry, change }: ReturnType<typeof useListEntry>,
) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { state } = useLocation()
  const [address] = useSearchParams()
  const offset = address.get('offset') ?? ''
  const listed = usersQuery({ segment, offset })
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...(search ? usersQuery({ segment, ...search, offset: entry.offset }) : listed),
    // Until there is something else to show, what is there stays as it is.
    placeholderData: (before) => keepPreviousData(before) ?? client.getQueryData(listed.queryKey),
    // A failed search is reported in the page, not by the error boundary.
    throwOnError: (_error, query) => !search && query.state.data === undefined,
  })
  const isListed = data?.isList === true
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
        const next = here.next && { segment, ...search, offset: here.next.offset }
        // A failure of the prefetch recurs, and is reported, when the page is opened.
        if (next) ahead(client.query(usersQuery(next)))
      },
    }
  const isPersonal = search?.q !== undefined || entry.conditions.some(({ isSensitive }) => isSensitive)
  const { visited } = isListed ? readTrail(state) : entry
  const place = {
    asked: isPersonal ? undefined : { segment, ...search },
    offset: at.offset,
    visited,
  }
  return { data, error, refetch, isFetching, isPlaceholderData, place, pager }
}

export interface ListPager extends PagerProps {
  /** The list was opened in the middle, so earlier pages exist but their offsets are unknown. */
  readonly isWayBackUnknown?: boolean
  readonly readNext?: () => void
}
