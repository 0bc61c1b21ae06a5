import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'

import type { UserCreate, UserPatch } from '#contract/index.ts'
import { api } from '../../api/index.ts'

const lists = ['users', 'list'] as const

/** Which users, and from which on: both as they stand in the address. */
export interface ListPlace {
  readonly segment?: string | undefined
  /** The service's own word for a page; absent: the first one. */
  readonly offset?: string | undefined
}

/** One page of the list. */
export function usersQuery({ segment, offset }: ListPlace) {
  return queryOptions({
    queryKey: [...lists, { segment: segment ?? '', offset: offset ?? '' }],
    queryFn: ({ signal }) => api.listUsers({ query: { segment, offset }, signal }),
    refetchOnWindowFocus: true,
  })
}

export function userQuery(id: string) {
  return queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: async ({ signal }) => {
      // The invitation is a secret: it is read at the moment it is wanted, and kept nowhere.
      const { invite_url: _, ...user } = await api.getUser({ params: { user_id: id }, signal })
      return user
    },
  })
}
export type UserWithoutInvitation = Awaited<ReturnType<NonNullable<ReturnType<typeof userQuery>['queryFn']>>>

/** The sign-up link of a user, past every cache; `undefined` where the service has none. */
export async function readInvitation(id: string): Promise<string | undefined> {
  const { invite_url: invitation } = await api.getUser({ params: { user_id: id } })
  return invitation ?? undefined
}

// Every write makes the pages of the list wrong, and none of them is on screen then: they are read anew when wanted.

export function createUser() {
  return mutationOptions({
    mutationFn: (body: UserCreate) => api.createUser({ body }),
    onSettled: (_written, _error, _body, _result, { client }) => client.removeQueries({ queryKey: lists }),
  })
}

export function patchUser(id: string) {
  return mutationOptions({
    mutationFn: (body: UserPatch) => api.patchUser({ params: { user_id: id }, body }),
    onSettled: (_written, _error, _body, _result, { client }) => {
      client.removeQueries({ queryKey: lists })
      // The answer to the followed redirect may be anything, and a lost answer may hide a success: the user is read.
      return client.invalidateQueries({ queryKey: userQuery(id).queryKey })
    },
  })
}

export function deleteUser(id: string) {
  return mutationOptions({
    mutationFn: () => api.deleteUser({ params: { user_id: id } }),
    onSettled: (_nothing, _error, _void, _result, { client }) => client.removeQueries({ queryKey: lists }),
  })
}

/** Once the page of a deleted user is left: nothing of them stays in memory. */
export function forgetUser(client: QueryClient, id: string): void {
  client.removeQueries({ queryKey: userQuery(id).queryKey })
  client.removeQueries({ queryKey: ['entities', id] })
}
