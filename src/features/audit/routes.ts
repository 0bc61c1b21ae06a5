import type { QueryClient } from '@tanstack/react-query'

import { pageRoute } from '../../domain/loading.ts'
import { shellText } from '../../messages/index.ts'
import { listSkeleton } from '../../ui/skeletons/ListSkeleton.tsx'
import { actorPlaces, auditPlaces, shownActors } from './places.ts'

const AuditSkeleton = listSkeleton({
  title: shellText.pages.audit,
  lead: '480px',
  first: { places: actorPlaces, rows: shownActors },
  places: auditPlaces,
})

export const auditRoutes = (client: QueryClient) => [
  pageRoute('audit', async () => (await import('./AuditPage.tsx')).AuditPage, {
    HydrateFallback: AuditSkeleton,
    lazy: {
      // The import is lazy: no other page needs this code, so it stays out of the initial download.
      loader: async () => {
        const { loadAudit } = await import('./queries.ts')
        return ({ url }) => loadAudit(client, url.searchParams)
      },
    },
  }),
]
