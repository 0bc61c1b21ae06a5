import type { QueryClient } from '@tanstack/react-query'

import { pageRoute } from '../../domain/page-route.ts'
import { actorLayout, auditLayout, shownActors } from './column-layout.ts'

export const auditRoutes = (client: QueryClient) => [
  pageRoute('audit', async () => (await import('./AuditPage.tsx')).AuditPage, {
    skeleton: {
      lead: '480px',
      first: { columns: actorLayout, rows: shownActors },
      columns: auditLayout,
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
