import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'

import type { UserCreate, UserPatch, UserSearchResult } from '#contract/index.ts'
import { api, etagOf, type keyedWrites, offers } from '../../api/index.ts'
import { links } from '../links.ts'
import type { Guard } from '../writing/guarded-write.ts'

const lists = ['users', 'list'] as const

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
    queryKey: [...lists, { segment, offset, q }],
    queryFn: async ({ signal }): Promise<UsersPage> => {
      if (q === '') return { q, ...(await api.listUsers({ query: { segment, offset }, signal })) }
      const body = { q, ...(segment && { segment }), ...(offset && { offset }) }
      return { q, ...(await api.searchUsers({ body, signal })) }
    },
    refetchOnWindowFocus: q === '',
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

/** The sign-up link of a user, past every cache; `undefined` where the service has none. */
export async function readInvitation(id: string): Promise<string | undefined> {
  const { invite_url: invitation } = await api.getUser({ params: { user_id: id } })
  return invitation ?? undefined
}

// Every write makes the pages of the list wrong, and none of them is on screen then: they are read anew when wanted.

export function createUser(write: ReturnType<typeof keyedWrites>) {
  return mutationOptions({
    mutationFn: (body: UserCreate) => write(body, (keyed) => api.createUser({ body, ...keyed })),
    gcTime: 0,
    onSettled: (_written, _error, _body, _result, { client }) => client.removeQueries({ queryKey: lists }),
  })
}

export interface UserWrite extends Guard {
  readonly body: UserPatch
}

export function patchUser(id: string) {
  return mutationOptions({
    mutationFn: (write: UserWrite) => api.patchUser({ params: { user_id: id }, ...write }),
    onSettled: (_written, _error, _body, _result, { client }) => {
      client.removeQueries({ queryKey: lists })
      void client.invalidateQueries({ queryKey: [...aboutUser(id), 'now'] })
      // The answer to the followed redirect may be anything, and a lost answer may hide a success: the user is read.
      return client.invalidateQueries({ queryKey: userQuery(id).queryKey })
    },
  })
}

export function deleteUser(id: string) {
  return mutationOptions({
    mutationFn: () => api.deleteUser({ params: { user_id: id } }),
    onSuccess: (_nothing, _void, _result, { client }) =>
      client.setQueriesData<{ scan?: { progress?: { matches: readonly { id: string }[] } } }>(
        { queryKey: listEntriesKey },
        (entry) => {
          const progress = entry?.scan?.progress
          if (!progress) return undefined
          const matches = progress.matches.filter((user) => user.id !== id)
          return { ...entry, scan: { ...entry.scan, progress: { ...progress, matches } } }
        },
      ),
    onSettled: (_nothing, _error, _void, _result, { client }) => client.removeQueries({ queryKey: lists }),
  })
}

/** Deletions whose sealed values could still be recovered, and who sees to it; of a service that tells. */
export function erasuresQuery() {
  return queryOptions({
    queryKey: ['erasures'],
    queryFn: async ({ signal }) => {
      const { total, since, finalBy } = await api.listErasures({ signal })
      return { total, since, isByService: finalBy === 'service' }
    },
    enabled: offers('erasures'),
    retry: false,
    gcTime: 0,
  })
}

/** Once the page of a deleted user is left: nothing of them stays in memory. */
export function forgetUser(client: QueryClient, id: string): void {
  client.removeQueries({ queryKey: userQuery(id).queryKey })
  client.removeQueries({ queryKey: ['entities', id] })
  client.removeQueries({ queryKey: aboutUser(id) })
}

/** What the tabs of a user's page read beyond the user and the entities; `now` is what an edit makes wrong. */
export const aboutUser = (id: string) => ['user', id] as const

/** What the list remembers of entries of the history, by their keys: with the answers, since it is as personal. */
export const listEntriesKey = ['users', 'list entry'] as const

/** Of what the list remembers, what other pages need to know. */
export interface ListEntry {
  readonly segment: string
  /** What stands in the search box. */
  readonly text: string
  /** What is searched for; `''`: nothing, the list is shown. */
  readonly q: string
}

/** The way to the list with a text in its search box. The text is personal: it is handed over in memory. */
export function listWithText(client: QueryClient, text: string) {
  const listEntry = crypto.randomUUID()
  client.setQueryData([...listEntriesKey, listEntry], { text })
  return { to: links.users(), state: { listEntry } }
}

/** How many users there are: of a segment, or altogether. Nothing else of the answer is kept. */
export function userCountQuery(segment: string) {
  return queryOptions({
    queryKey: [...lists, 'count', segment],
    queryFn: async ({ signal }) => (await api.listUsers({ query: { segment }, signal })).total ?? null,
    staleTime: 60_000,
    gcTime: 60_000,
  })
}
