import { mutationOptions, queryOptions } from '@tanstack/react-query'

import type { UserCreate } from '#contract/index.ts'
import { api, type keyedWrites } from '../../api/index.ts'
import { userListsKey } from '../../domain/queries/users.ts'
import { type Detail, planDetails } from './user-details.ts'

/** @param asking Id of the calling component, as the key: details may be sensitive, and are not part of it. */
export function detailsPlanQuery(asking: string, userId: string, details: readonly Detail[]) {
  return queryOptions({
    queryKey: ['users', 'details', asking],
    queryFn: () => planDetails(userId, details),
    staleTime: 'static',
    gcTime: 0,
  })
}

export function createUser(write: ReturnType<typeof keyedWrites>) {
  return mutationOptions({
    mutationFn: (body: UserCreate) => write(body, (keyed) => api.createUser({ body, ...keyed })),
    gcTime: 0,
    onSettled: (_written, _error, _body, _result, { client }) =>
      client.removeQueries({ queryKey: userListsKey }),
  })
}
