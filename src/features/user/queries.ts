import { mutationOptions, type QueryClient } from '@tanstack/react-query'

import { api } from '../../api/index.ts'
import type { UserWrite } from '../../domain/people/save-user.ts'
import { hasPage } from '../../domain/links.ts'
import { aboutUser, userListsKey, userQuery } from '../../domain/queries/users.ts'
import { deselectUser } from '../../domain/user-list/list-state.ts'

/** Reads the sign-up link of a user, bypassing every cache; undefined if the service has none. */
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
      // Reads the user again: a write redirects to an unreliable response, and a lost answer may hide a success.
      return client.invalidateQueries({ queryKey: userQuery(id).queryKey })
    },
  })
}

export function deleteUser(id: string, reference: string | undefined) {
  return mutationOptions({
    mutationFn: () => api.deleteUser({ params: { user_id: id }, reference }),
    onSuccess: (_nothing, _void, _result, { client }) => deselectUser(client, id),
    onSettled: (_nothing, _error, _void, _result, { client }) =>
      client.removeQueries({ queryKey: userListsKey }),
  })
}

/** Whether the service keeps a record of each deletion, with a reference. */
export const recordsDeletions = () => hasPage('deletionReceipt')

/** Removes everything about a deleted user from memory; called once their page is left. */
export function forgetUser(client: QueryClient, id: string): void {
  client.removeQueries({ queryKey: userQuery(id).queryKey })
  client.removeQueries({ queryKey: ['entities', id] })
  client.removeQueries({ queryKey: aboutUser(id) })
}
