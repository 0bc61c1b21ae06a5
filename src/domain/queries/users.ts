import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'

import type { LookedUpUser, UserSearch, UserSearchResult } from '#contract/index.ts'
import { api, etagOf } from '../../api/index.ts'

/** Every write makes the pages of the list wrong, and none of them is on screen then: they are read anew when wanted. */
export const userListsKey = ['users', 'list'] as const

/** Which users, and from which on: as the list has them, or as a search does. */
export interface UsersAsked extends Pick<UserSearch, 'q' | 'filter' | 'sort'> {
  readonly segment?: string | undefined
  /** The service's own word for a page; absent: the first one. */
  readonly offset?: string | undefined
}

/** With what it is a page of. */
export interface UsersPage extends UserSearchResult {
  /** Text of the search; `''`: no search. */
  readonly q: string
  readonly isFiltered: boolean
  /** Whether the page is of the plain list, whose offsets differ from those of a search. */
  readonly isList: boolean
}

/** One page of the list, or of what a search finds. */
export function usersQuery({ segment = '', offset = '', q = '', filter, sort }: UsersAsked) {
  const isList = q === '' && filter === undefined && sort === undefined
  return queryOptions({
    queryKey: [...userListsKey, { segment, offset, q, filter, sort }],
    queryFn: async ({ signal }): Promise<UsersPage> => {
      const about = { q, isFiltered: filter !== undefined, isList }
      if (isList) return { ...about, ...(await api.listUsers({ query: { segment, offset }, signal })) }
      const body = {
        ...(q !== '' && { q }),
        ...(filter && { filter }),
        ...(sort && { sort }),
        ...(segment !== '' && { segment }),
        ...(offset !== '' && { offset }),
      }
      return { ...about, ...(await api.searchUsers({ body, signal })) }
    },
    refetchOnWindowFocus: isList,
  })
}

/** Values of a user's extra columns, by column name such as `car.plate`. */
export type OwnColumns = NonNullable<LookedUpUser['columns']>

/** Query for the extra columns of the users with these ids. */
export function columnsQuery(ids: readonly string[], columns: readonly string[]) {
  return queryOptions({
    queryKey: [...userListsKey, 'columns', ids, columns],
    queryFn: async ({ signal }): Promise<Readonly<Record<string, OwnColumns>>> => {
      const body = { ids: [...ids], columns: [...columns] }
      const found = new Map(
        (await api.lookUpUsers({ body, signal })).map((user) => [user.id as string, user]),
      )
      return Object.fromEntries(ids.map((id) => [id, found.get(id)?.columns ?? {}]))
    },
    enabled: ids.length > 0 && columns.length > 0,
    // An entity may have been edited meanwhile.
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}

/** A user, and the `ETag` of this reading where the service has them. */
export function userQuery(id: string) {
  return queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: async ({ signal }) => {
      // The invitation is a secret: it is read at the moment it is wanted, and kept nowhere.
      const answer = await api.getUser({ params: { user_id: id }, signal })
      const { invite_url: _, ...user } = answer
      return { user, etag: etagOf(answer) }
    },
  })
}
type UserRead = Awaited<ReturnType<NonNullable<ReturnType<typeof userQuery>['queryFn']>>>
export type UserWithoutInvitation = UserRead['user']

/** Key prefix of the queries for a user's tabs, beyond user and entities. An edit makes those with `now` stale. */
export const aboutUser = (id: string) => [...aboutUsers, id] as const
const aboutUsers = ['user'] as const

/** How many users there are: of a segment, or altogether. Nothing else of the answer is kept. */
export function userCountQuery(segment: string) {
  return queryOptions({
    queryKey: [...userListsKey, 'count', segment],
    queryFn: async ({ signal }) => (await api.listUsers({ query: { segment }, signal })).total ?? null,
    staleTime: 60_000,
    gcTime: 60_000,
  })
}

/** After many writes: whatever is kept of users may be another by now. */
export function forgetUsers(client: QueryClient): void {
  for (const queryKey of [['users', 'list'], ['users', 'one'], aboutUsers, ['entities']])
    client.removeQueries({ queryKey })
}
