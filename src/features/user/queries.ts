import { mutationOptions, type QueryClient } from '@tanstack/react-query'

import { api } from '../../api/index.ts'
import type { UserWrite } from '../../domain/people/save-user.ts'
import { aboutUser, userListsKey, userQuery } from '../../domain/queries/users.ts'
import { listEntriesKey, selectionKey } from '../../domain/user-list/entries.ts'

/** The sign-up link of a user, past every cache; `undefined` where the service has none. */
export async function readInvitation(id: string): Promise<string | undefined> {
  const { invite_url: invitation } = await api.getUser({ params: { user_id: id } })
  return invitation ?? undefined
}

export function patchUser(id: string) {
  return mutationOptions({
    mutationFn: (write: UserWrite) => api.patchUser({ params: { user_id: id }, ...write }),
    onSettled: (_written, _error, _body, _result, { client }) => {
      client.removeQueries({ queryKey: userListsKey })
      void client.invalidateQueries({ queryKey: [...aboutUser(id), 'now'] })
      // The answer to the followed redirect may be anything, and a lost answer may hide a success: the user is read.
      return client.invalidateQueries({ queryKey: userQuery(id).queryKey })
    },
  })
}

export function deleteUser(id: string, reference: string | undefined) {
  return mutationOptions({
    mutationFn: () => api.deleteUser({ params: { user_id: id }, reference }),
    onSuccess: (_nothing, _void, _result, { client }) => {
      client.setQueryData<ReadonlySet<string>>(
        selectionKey,
        (selected) => selected && new Set([...selected].filter((each) => each !== id)),
      )
      client.setQueriesData<{ scan?: { progress?: { matches: readonly { id: string }[] } } }>(
        { queryKey: listEntriesKey },
        (entry) => {
          const progress = entry?.scan?.progress
          if (!progress) return undefined
          const matches = progress.matches.filter((user) => user.id !== id)
          return { ...entry, scan: { ...entry.scan, progress: { ...progress, matches } } }
        },
      )
    },
    onSettled: (_nothing, _error, _void, _result, { client }) =>
      client.removeQueries({ queryKey: userListsKey }),
  })
}

/** Drops everything about a deleted user from memory; called once their page is left. */
export function forgetUser(client: QueryClient, id: string): void {
  client.removeQueries({ queryKey: userQuery(id).queryKey })
  client.removeQueries({ queryKey: ['entities', id] })
  client.removeQueries({ queryKey: aboutUser(id) })
}
