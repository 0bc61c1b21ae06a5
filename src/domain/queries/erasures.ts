import { queryOptions } from '@tanstack/react-query'

import type { Erasure } from '#contract/index.ts'
import { api, fileUnder } from '../../api/index.ts'

export interface DeletedUser extends Erasure {
  /** Whether the service makes the deletion final by itself. */
  readonly isByService: boolean
}

/** Query for the deletion of one user; null if there is none. */
export function erasureQuery(user: string) {
  return queryOptions({
    ...fileUnder('listErasures', { query: { user } }),
    queryFn: async ({ signal }): Promise<DeletedUser | null> => {
      const { erasures, finalBy } = await api.listErasures({ query: { user, state: 'all' }, signal })
      const [erasure] = erasures
      return erasure ? { ...erasure, isByService: finalBy === 'service' } : null
    },
    staleTime: 0,
  })
}
