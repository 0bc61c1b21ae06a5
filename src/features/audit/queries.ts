import { type QueryClient, queryOptions } from '@tanstack/react-query'

import { maxAuditDays } from '#contract/index.ts'
import { api, q } from '../../api/index.ts'
import { keepCached } from '../../domain/loading.ts'
import { dayMs } from '../../ui/moments.tsx'
import { type AuditFilter, isNarrowed, readAuditQuery } from './filter.ts'

export async function loadAudit(client: QueryClient, address: URLSearchParams): Promise<true> {
  const query = readAuditQuery(address)
  await Promise.all([
    client.query({ ...q('listAudit', { query }), ...keepCached }),
    // The actors' part of the page reports its own failure.
    client.query({ ...auditActorsQuery(query), ...keepCached }).catch(() => undefined),
  ])
  return true
}

/**
 * Query for the actors of the listed events. If only actor and days are filtered, it covers the whole span, or its
 * latest part if the service cannot count all of it.
 */
export function auditActorsQuery({ actor, user, key, kind, from, to }: AuditFilter) {
  const filter = { actor, user, key, kind, from, to }
  return queryOptions({
    queryKey: ['listAuditActors', filter],
    queryFn: ({ signal }) => {
      if (isNarrowed(filter)) return api.listAuditActors({ query: filter, signal })
      const endMs = to === undefined ? Date.now() : Date.parse(to)
      // The service counts the first and the last day of the span in full, so two days are subtracted.
      const firstMs = endMs - (maxAuditDays - 2) * dayMs
      const startMs =
        from === undefined && to === undefined ? undefined : Math.max(firstMs, Date.parse(from ?? '') || 0)
      const span = { ...(startMs !== undefined && { from: new Date(startMs).toISOString() }), to }
      return api.listAuditActors({ query: { ...span, actor }, signal })
    },
    staleTime: 0,
  })
}
