import type { QueryClient } from '@tanstack/react-query'

import { kept } from '../../domain/loading.ts'
import { askedIn } from './filter.ts'
import { auditActorsQuery, auditQuery, hasActors } from './queries.ts'

export async function loadAudit(client: QueryClient, address: URLSearchParams): Promise<true> {
  const asked = askedIn(address)
  await Promise.all([
    client.query({ ...auditQuery(asked), ...kept }),
    // A failure is reported in its part of the page.
    hasActors(asked) && client.query({ ...auditActorsQuery(asked), ...kept }).catch(() => undefined),
  ])
  return true
}
