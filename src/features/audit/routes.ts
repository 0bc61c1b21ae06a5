import type { QueryClient } from '@tanstack/react-query'

import { pageRoute } from '../../domain/loading.ts'
import { actorPlaces, auditPlaces, shownActors } from './places.ts'

export const auditRoutes = (client: QueryClient) => [
  pageRoute('audit', async () => (await import('./AuditPage.tsx')).AuditPage, {
    skeleton: {
      lead: '480px',
      first: { places: actorPlaces, rows: shownActors },
      places: auditPlaces,
    },
    lazy: {
      // The import is lazy: no other page needs this code, so it stays out of the initial download.
      loader: async () => {
        const { loadAudit } = await import('./queries.ts')
        return ({ url }) => loadAudit(client, url.searchParams)
      },
    },
  }),
]
