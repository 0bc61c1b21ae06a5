import { type DefaultOptions, QueryClient } from '@tanstack/react-query'

import type { EndpointName } from '#contract/index.ts'

type Policy = Pick<NonNullable<DefaultOptions['queries']>, 'staleTime' | 'gcTime' | 'refetchInterval'>

/** Delivery status changes without a user's action, so cached data is shown and read again. */
const live: Policy = { staleTime: 0 }

/** Stale and cache times of operations for which the defaults below do not fit. */
const policies: Readonly<Partial<Record<EndpointName, Policy>>> = {
  // A pending deletion becomes final without a user's action.
  listErasures: live,
  listSubscriptions: live,
  getSubscription: live,
  listRecentAttempts: live,
  getHealth: { ...live, refetchInterval: 30_000 },
  recoverSubscription: { staleTime: 0, gcTime: 0 },
  // Data types do not change while the service runs.
  listDataTypes: { staleTime: Infinity },
  // The audit log always has newer entries.
  listAudit: { staleTime: 0 },
}

/**
 * Creates the cache of answers, in memory only. The transport retries failed reads. An answer stays fresh for half a
 * minute. A list may set `refetchOnWindowFocus: true`; a page that is being read or edited never changes because of a
 * window switch.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 30_000,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  for (const [name, policy] of Object.entries(policies)) client.setQueryDefaults([name], policy)
  return client
}
