import { type QueryClient, queryOptions } from '@tanstack/react-query'

import { maxAuditDays } from '#contract/index.ts'
import { api, q } from '../../api/index.ts'
import { keepCached } from '../../domain/loading.ts'
import { dayMs } from '../../ui/moments.tsx'
import { type AuditFilter, isNarrowed, readAuditQuery } from './filter.ts'

/** Fetches what the page at an address shows. */
export async function loadAudit(client: QueryClient, address: URLSearchParams): Promise<true> {
  const query = readAuditQuery(address)
  await Promise.all([
    client.query({ ...q('listAudit', { query }), ...keepCached }),
    // A failure is reported in its part of the page.
    client.query({ ...auditActorsQuery(query), ...keepCached }).catch(() => undefined),
  ])
  return true
}

/**
 * Actors of the listed events. A query by days alone covers the whole span, or the latest part that the service counts.
 */
export function auditActorsQuery({ actor, user, key, kind, from, to }: AuditFilter) {
  const filter = { actor, user, key, kind, from, to }
  return queryOptions({
    queryKey: ['listAuditActors', filter],
    queryFn: ({ signal }) => {
      if (isNarrowed(filter)) return api.listAuditActors({ query: filter, signal })
      const endMs = to === undefined ? Date.now() : Date.parse(to)
      // The first and the last day of the span are counted whole.
      const firstMs = endMs - (maxAuditDays - 2) * dayMs
      const startMs =
        from === undefined && to === undefined ? undefined : Math.max(firstMs, Date.parse(from ?? '') || 0)
      const span = { ...(startMs !== undefined && { from: new Date(startMs).toISOString() }), to }
      return api.listAuditActors({ query: { ...span, actor }, signal })
    },
    staleTime: 0,
  })
}
