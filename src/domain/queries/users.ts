import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import pLimit from 'p-limit'

import type { LookedUpUser, UserSearch, UserSearchResult } from '#contract/index.ts'
import { api, etagOf, fileUnder, peek } from '../../api/index.ts'

/** Parameters of a page of users, from the list or from a search. */
export interface UsersQuery extends Pick<UserSearch, 'q' | 'filter' | 'sort'> {
  readonly segment?: string | undefined
  /** Opaque offset from the service; undefined for the first page. */
  readonly offset?: string | undefined
}

/** Page of users, with the parameters that it was requested with. */
export interface UsersPage extends UserSearchResult {
  /** Text of the search; `''` for none. */
  readonly q: string
  readonly isFiltered: boolean
  /** Whether the page is of the plain list, whose offsets differ from those of a search. */
  readonly isList: boolean
}

/** Query for one page of the user list, or of a search. */
export function usersQuery({ segment = '', offset = '', q = '', filter, sort }: UsersQuery) {
  const isList = q === '' && filter === undefined && sort === undefined
  return queryOptions({
    ...fileUnder(isList ? 'listUsers' : 'searchUsers', { query: { segment, offset }, q, filter, sort }),
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

/** Query for a page of a list. Until it is there, the rows before stay, or those of the plain list, which comes first. */
export function narrowedUsersQuery(client: QueryClient, plain: UsersQuery, search: UsersQuery | undefined) {
  const listed = usersQuery(plain)
  return queryOptions({
    ...(search ? usersQuery(search) : listed),
    placeholderData: (before) => keepPreviousData(before) ?? peek(client, listed),
  })
}

/** Values of a user's extra columns, by column name such as `car.plate`. */
export type OwnColumns = NonNullable<LookedUpUser['columns']>

/** Query for the extra columns of the users with these ids. */
export function columnsQuery(ids: readonly string[], columns: readonly string[]) {
  return queryOptions({
    ...fileUnder('lookUpUsers', { ids, columns }),
    queryFn: async ({ signal }): Promise<Readonly<Record<string, OwnColumns>>> => {
      const body = { ids: [...ids], columns: [...columns] }
      const found = new Map(
        (await api.lookUpUsers({ body, signal })).map((user) => [user.id as string, user]),
      )
      return Object.fromEntries(ids.map((id) => [id, found.get(id)?.columns ?? {}]))
    },
    enabled: ids.length > 0 && columns.length > 0,
    // An entity may have been edited in the meantime.
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}

/** Query for a user, with the `ETag` of the response if the service provides one. */
export function userQuery(id: string) {
  return queryOptions({
    ...fileUnder('getUser', { params: { user_id: id } }),
    queryFn: async ({ signal }) => {
      // The invitation link is a secret, so it is removed before the response is cached.
      const answer = await api.getUser({ params: { user_id: id }, signal })
      const { invite_url: _, ...user } = answer
      return { user, etag: etagOf(answer) }
    },
  })
}
type UserRead = Awaited<ReturnType<NonNullable<ReturnType<typeof userQuery>['queryFn']>>>
export type UserWithoutInvitation = UserRead['user']

/** Counting costs the service more than reading a page. */
const counting = pLimit(2)

/** Query for the number of users in a segment, or in total. Nothing else of the response is cached. */
export function userCountQuery(segment: string) {
  return queryOptions({
    ...fileUnder('listUsers', { query: { segment }, as: 'count' }),
    queryFn: ({ signal }) =>
      counting(async () => {
        signal.throwIfAborted()
        return (await api.listUsers({ query: { segment }, signal })).total ?? null
      }),
    staleTime: 60_000,
    gcTime: 60_000,
  })
}
