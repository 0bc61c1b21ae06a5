import { queryOptions } from '@tanstack/react-query'

import { api, offers } from '../../api/index.ts'

export const erasuresKey = ['erasures']

/** Whether the service keeps who deleted a user, with which reference, and since when that is final. */
export function keepsErasures(): boolean {
  return offers('erasures.kept')
}

/** The deletion of one user; null: there was none. */
export function erasureQuery(user: string) {
  return queryOptions({
    queryKey: [...erasuresKey, 'of', user],
    queryFn: async ({ signal }) => {
      const { erasures, finalBy } = await api.listErasures({ query: { user, state: 'all' }, signal })
      const [erasure] = erasures
      return erasure ? { ...erasure, isByService: finalBy === 'service' } : null
    },
    enabled: keepsErasures(),
    staleTime: 0,
  })
}
