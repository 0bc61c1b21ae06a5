import { queryOptions } from '@tanstack/react-query'

import { api } from '../../api/index.ts'
import type { AuditAsked } from './filter.ts'

const auditKey = ['audit']

/** A page, newest first. There is always something newer. */
export function auditQuery(asked: AuditAsked) {
  return queryOptions({
    queryKey: [...auditKey, 'rows', asked],
    queryFn: ({ signal }) => api.listAudit({ query: asked, signal }),
    staleTime: 0,
  })
}
