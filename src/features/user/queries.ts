import { mutationOptions, type QueryClient } from '@tanstack/react-query'

import { api, refresh } from '../../api/index.ts'
import { hasPage } from '../../domain/links.ts'
import type { UserReading, UserWrite } from '../../domain/people/save-user.ts'
import { valuesOf } from '../../domain/people/user-fields.ts'
import { userQuery } from '../../domain/queries/users.ts'
import { deselectUser } from '../../domain/user-list/selection.ts'

/** Reads the sign-up link of a user, bypassing every cache; undefined if the service has none. */
export async function readInvitation(id: string): Promise<string | undefined> {
  const { invite_url: invitation } = await api.getUser({ params: { user_id: id } })
  return invitation ?? undefined
}

/** Reads the fields of a user as they are stored now. */
export async function readUser(client: QueryClient, id: string): Promise<UserReading> {
  const { user, etag } = await client.query({ ...userQuery(id), staleTime: 0 })
  return { values: valuesOf(user), etag }
}

export function patchUser(id: string) {
  return mutationOptions({
    mutationFn: (write: UserWrite) => api.patchUser({ params: { user_id: id }, ...write }),
    // A write redirects to an unreliable response, so the form stays until the user has been read again.
    onSettled: (_written, _error, _body, _result, { client }) => refresh(client, 'getUser'),
  })
}

export function deleteUser(id: string, reference: string | undefined) {
  return mutationOptions({
    mutationFn: () => api.deleteUser({ params: { user_id: id }, reference }),
    onSuccess: (_nothing, _void, _result, { client }) => deselectUser(client, id),
  })
}

/** Whether the service keeps a record of each deletion, with a reference. */
export const recordsDeletions = () => hasPage('deletionReceipt')
