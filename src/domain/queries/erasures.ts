import { queryOptions } from '@tanstack/react-query'

import { api, isFull } from '../../api/index.ts'

export const erasuresKey = ['erasures']

/** The deletion of one user; null: there was none. */
export function erasureQuery(user: string) {
  return queryOptions({
    queryKey: [...erasuresKey, 'of', user],
    queryFn: async ({ signal }) => {
      const { erasures, finalBy } = await api.listErasures({ query: { user, state: 'all' }, signal })
      const [erasure] = erasures
      return erasure ? { ...erasure, isByService: finalBy === 'service' } : null
    },
    enabled: isFull(),
    staleTime: 0,
  })
}
