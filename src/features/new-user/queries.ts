import { mutationOptions, queryOptions } from '@tanstack/react-query'

import type { UserCreate } from '#contract/index.ts'
import { api, fileUnder, type keyedWrites } from '../../api/index.ts'
import { type Detail, planDetails } from './user-details.ts'

/** @param asking Id of the calling component, as the key: details may be sensitive, and are not part of it. */
export function detailsPlanQuery(asking: string, userId: string, details: readonly Detail[]) {
  return queryOptions({
    ...fileUnder('listEntities', { params: { user_id: userId }, as: asking }),
    queryFn: () => planDetails(userId, details),
    staleTime: 'static',
    gcTime: 0,
  })
}

export function createUser(write: ReturnType<typeof keyedWrites>) {
  return mutationOptions({
    mutationFn: (body: UserCreate) => write(body, (keyed) => api.createUser({ body, ...keyed })),
  })
}
