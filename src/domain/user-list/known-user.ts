import type { QueryClient } from '@tanstack/react-query'

import type { User } from '#contract/index.ts'

import { userListsKey, userQuery, type UsersPage, type UserWithoutInvitation } from '../queries/users.ts'
import { listEntriesKey } from './entries.ts'

/** A list that was gone through in search of a text. */
interface Scanned {
  readonly scan?: { readonly progress?: { readonly matches: readonly User[] } }
}

/**
 * A user as they were read last, or as the newest list that has them tells: to be looked at while they are read. Never
 * to be edited, which takes a reading of its own with its `ETag`.
 */
export function knownUser(client: QueryClient, id: string): UserWithoutInvitation | undefined {
  const read = client.getQueryData(userQuery(id).queryKey)?.user
  if (read) return read
  const lists = client.getQueryCache().findAll({ queryKey: userListsKey })
  const newestFirst = lists.toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  for (const { state } of newestFirst) {
    // How many users there are is kept under the same key.
    const { users = [] } = Object(state.data) as Partial<UsersPage>
    const found = users.find((user) => user.id === id)
    if (found) return found
  }
  for (const [, entry] of client.getQueriesData<Scanned>({ queryKey: listEntriesKey })) {
    const found = entry?.scan?.progress?.matches.find((user) => user.id === id)
    if (found) return found
  }
  return undefined
}
