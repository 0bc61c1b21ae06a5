import { keepPreviousData, useQuery, type UseQueryOptions } from '@tanstack/react-query'

import type { Event } from '#contract/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { eventProperty } from '../../../domain/changes/what-happened.ts'
import { peopleQuery } from '../../../domain/people/use-people.ts'
import { changedKeysQuery } from '../../../domain/queries/changesets.ts'

/**
 * Returns the user and the changeset of an event: `undefined` while loading, `null` if there is none to show, the
 * service has no look-ups, or the caller may not use them.
 * @param page Events that are looked up with it by one request; undefined if the service has no look-ups.
 */
export function useLookedUp(event: Event, page: readonly Event[] = []) {
  const mayUsers = useDenied('users:read') === undefined
  const mayChanges = useDenied('users:read', 'entities:read') === undefined
  return {
    person: useAnswer(peopleQuery, 'user', event, mayUsers ? page : []),
    change: useAnswer(changedKeysQuery, 'changeset', event, mayChanges ? page : []),
  }
}

interface Answer {
  readonly id: string
}

function useAnswer<Found extends Answer, Key extends readonly unknown[]>(
  queryOf: (ids: readonly string[]) => UseQueryOptions<Found[], Error, Found[], Key>,
  property: 'user' | 'changeset',
  event: Event,
  page: readonly Event[],
): Found | null | undefined {
  const id = eventProperty(event, property)
  const ids = [...new Set(page.flatMap((each) => eventProperty(each, property) ?? []))]
  const { data, isError } = useQuery({
    ...queryOf(ids),
    select: (all) => all.find((each) => each.id === id) ?? null,
    // A list that begins again keeps what its rows say until the answer about its new first page.
    placeholderData: keepPreviousData,
  })
  return id !== undefined && ids.includes(id) && !(isError && data === undefined) ? data : null
}
