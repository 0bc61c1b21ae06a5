import { queryOptions } from '@tanstack/react-query'

import { api } from '../../api/index.ts'

/** Query for the deletion of one user; null if there is none. */
export function erasureQuery(user: string) {
  return queryOptions({
    queryKey: ['listErasures', 'of', user],
    queryFn: async ({ signal }) => {
      const { erasures, finalBy } = await api.listErasures({ query: { user, state: 'all' }, signal })
      const [erasure] = erasures
      return erasure ? { ...erasure, isByService: finalBy === 'service' } : null
    },
    staleTime: 0,
  })
}
