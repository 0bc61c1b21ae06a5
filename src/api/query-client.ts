import { type DefaultOptions, QueryClient } from '@tanstack/react-query'

import type { EndpointName } from '#contract/index.ts'

type Policy = Pick<NonNullable<DefaultOptions['queries']>, 'staleTime' | 'gcTime' | 'refetchInterval'>

/** Delivery status changes on its own, so cached data is shown and read again. */
const live: Policy = { staleTime: 0 }

/** How long the answers of an operation are fresh and kept, where the defaults below do not fit. */
const policies: Readonly<Partial<Record<EndpointName, Policy>>> = {
  // A deletion that waits becomes final by itself.
  listErasures: live,
  listSubscriptions: live,
  getSubscription: live,
  listRecentAttempts: live,
  getHealth: { ...live, refetchInterval: 30_000 },
  recoverSubscription: { staleTime: 0, gcTime: 0 },
  // There is always something newer.
  listAudit: { staleTime: 0 },
}

/**
 * Answers of the service, in memory only. Repeating a failed read is the transport's business. What is on screen
 * stays fresh for half a minute; a list asks for more with `refetchOnWindowFocus: true` of its own, while a page that
 * is being read or edited never changes underneath somebody who only switched windows.
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
