import { queryOptions } from '@tanstack/react-query'

import { api } from '../../api/index.ts'
import { webhooksKey } from '../../domain/queries/webhooks.ts'

/** How deliveries go changes by itself, so what is kept is shown and read again. */
const staleTime = 0
const healthPollMs = 30_000

export function subscriptionQuery(id: string) {
  return queryOptions({
    queryKey: [...webhooksKey, 'one', id],
    queryFn: ({ signal }) => api.getSubscription({ params: { subscription_id: id }, signal }),
    staleTime,
  })
}

/** The last tries, newest first. */
export function recentAttemptsQuery(id: string) {
  return queryOptions({
    queryKey: [...webhooksKey, 'attempts', id],
    queryFn: ({ signal }) => api.listRecentAttempts({ params: { subscription_id: id }, signal }),
    staleTime,
  })
}

/** How the tries of the last days went; read again with the tries. */
export function healthQuery(id: string) {
  return queryOptions({
    queryKey: [...webhooksKey, 'health', id],
    queryFn: ({ signal }) => api.getHealth({ params: { subscription_id: id }, signal }),
    staleTime,
    refetchInterval: healthPollMs,
  })
}
