import { queryOptions } from '@tanstack/react-query'

import { api } from '../../api/index.ts'

/** Everything that was read of webhooks. */
export const webhooksKey = ['webhooks'] as const

/** All of them, oldest first. */
export function subscriptionsQuery() {
  return queryOptions({
    queryKey: [...webhooksKey, 'list'],
    queryFn: ({ signal }) => api.listSubscriptions({ signal }),
    // How deliveries go changes by itself, so what is kept is shown and read again.
    staleTime: 0,
  })
}
