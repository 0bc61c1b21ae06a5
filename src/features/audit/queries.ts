import { type QueryClient, queryOptions } from '@tanstack/react-query'

import { auditKinds, type Endpoints, maxAuditDays, type Query } from '#contract/index.ts'
import { api, fileUnder, q } from '../../api/index.ts'
import { momentIn } from '../../domain/log-page/moments.ts'
import { keepCached } from '../../domain/page-route.ts'
import { dayMs } from '../../ui/moments.tsx'

/** Filter and page of the audit log as stored in the URL: ids, codes and moments, never names. */
export type AuditQuery = Query<Endpoints['listAudit']>
export type AuditFilter = Omit<AuditQuery, 'after'>

/** Reads filter and page from a URL, dropping invalid values. */
export function readAuditQuery(address: URLSearchParams): AuditQuery {
  const code = (name: string) => address.get(name) || undefined
  return {
    actor: code('actor'),
    user: code('user'),
    key: code('key'),
    kind: auditKinds.find((kind) => kind === address.get('kind')),
    from: momentIn(address, 'from'),
    to: momentIn(address, 'to'),
    after: code('after'),
  }
}

export function toAuditFilter({ actor, user, key, kind, from, to }: AuditQuery): AuditFilter {
  return { actor, user, key, kind, from, to }
}

/** Whether the filter uses `user`, `key` or `kind`; the figures then cover exact moments instead of whole UTC days. */
export function isNarrowed({ user, key, kind }: AuditFilter): boolean {
  return user !== undefined || key !== undefined || kind !== undefined
}

export function isAuditFiltered(query: AuditQuery): boolean {
  return Object.values(query).some((value) => value !== undefined)
}

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
    ...fileUnder('listAuditActors', { query: filter }),
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
