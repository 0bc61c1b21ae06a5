import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'

import type { LookedUpUser, UserSearch, UserSearchResult } from '#contract/index.ts'
import { api, etagOf } from '../../api/index.ts'

/** Every write makes the pages of the list wrong, and none of them is on screen then: they are read anew when wanted. */
export const userListsKey = ['users', 'list'] as const

/** Which users, and from which on. */
export interface UsersAsked {
  readonly segment?: string | undefined
  /** The service's own word for a page; absent: the first one. */
  readonly offset?: string | undefined
  /** What they are searched for; absent: all are listed. */
  readonly q?: string | undefined
}

/** Of a search with the text that it was for; `''`: of the list. */
export type UsersPage = UserSearchResult & { readonly q: string }

/** One page of the list, or of what a search finds. */
export function usersQuery({ segment = '', offset = '', q = '' }: UsersAsked) {
  return queryOptions({
    queryKey: [...userListsKey, { segment, offset, q }],
    queryFn: async ({ signal }): Promise<UsersPage> => {
      if (q === '') return { q, ...(await api.listUsers({ query: { segment, offset }, signal })) }
      const body = { q, ...(segment && { segment }), ...(offset && { offset }) }
      return { q, ...(await api.searchUsers({ body, signal })) }
    },
    refetchOnWindowFocus: q === '',
  })
}

/** What stands in a user's columns, by their names such as `car.plate`. */
export type OwnColumns = NonNullable<LookedUpUser['columns']>

/** What stands in the columns of the users with these ids. */
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

/** What the tabs of a user's page read beyond the user and the entities; `now` is what an edit makes wrong. */
export const aboutUser = (id: string) => ['user', id] as const

/** How many users there are: of a segment, or altogether. Nothing else of the answer is kept. */
export function userCountQuery(segment: string) {
  return queryOptions({
    queryKey: [...userListsKey, 'count', segment],
    queryFn: async ({ signal }) => (await api.listUsers({ query: { segment }, signal })).total ?? null,
    staleTime: 60_000,
    gcTime: 60_000,
  })
}
