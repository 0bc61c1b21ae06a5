import { queryOptions } from '@tanstack/react-query'

import { maxAuditDays } from '#contract/index.ts'
import { api, isFull } from '../../api/index.ts'
import { type AuditAsked, type AuditFilter, isOfSome } from './filter.ts'

const auditKey = ['audit']
const dayMs = 86_400_000

/** A page, newest first. There is always something newer. */
export function auditQuery(asked: AuditAsked) {
  return queryOptions({
    queryKey: [...auditKey, 'rows', asked],
    queryFn: ({ signal }) => api.listAudit({ query: asked, signal }),
    staleTime: 0,
  })
}

/** Tells whether the service can count actors for this filter; each service can for one by days alone. */
export const hasActors = (filter: AuditFilter) => !isOfSome(filter) || isFull()

/**
 * Actors of the listed events. A query by days alone covers the whole span, or the latest part that the service counts.
 */
export function auditActorsQuery({ actor, user, key, kind, from, to }: AuditFilter) {
  const filter = { actor, user, key, kind, from, to }
  return queryOptions({
    queryKey: [...auditKey, 'actors', filter],
    queryFn: ({ signal }) => {
      if (isOfSome(filter)) return api.listAuditActors({ query: filter, signal })
      const endMs = to === undefined ? Date.now() : Date.parse(to)
      // The day that it begins in and the one that it ends in are counted whole.
      const firstMs = endMs - (maxAuditDays - 2) * dayMs
      const begins =
        from === undefined && to === undefined ? undefined : Math.max(firstMs, Date.parse(from ?? '') || 0)
      const query = {
        ...(begins !== undefined && { from: new Date(begins).toISOString() }),
        to,
        ...(isFull() && { actor }),
      }
      return api.listAuditActors({ query, signal })
    },
    staleTime: 0,
  })
}

/** Keys of the properties that are or were sensitive. */
export function sensitiveKeysQuery() {
  return queryOptions({
    queryKey: [...auditKey, 'keys'],
    queryFn: async ({ signal }) => {
      const known = await api.listKeys({ signal })
      return [...new Set(known.flatMap(({ key, sensitive }) => (sensitive === true ? [key] : [])))]
    },
    enabled: isFull(),
  })
}
