import type { QueryClient } from '@tanstack/react-query'
import type { RouteObject } from 'react-router'

import { pages } from '#contract/pages.ts'

import { shellText } from '../../messages/index.ts'
import { listSkeleton } from '../../ui/skeletons/ListSkeleton.tsx'
import { actorPlaces, auditPlaces, shownActors } from './places.ts'

const AuditSkeleton = listSkeleton({
  title: shellText.pages.audit,
  lead: '480px',
  first: { places: actorPlaces, rows: shownActors },
  places: auditPlaces,
})

export function auditRoutes(client: QueryClient): RouteObject[] {
  return [
    {
      path: pages.audit.path,
      handle: { title: shellText.pages.audit },
      HydrateFallback: AuditSkeleton,
      lazy: {
        Component: async () => (await import('./AuditPage.tsx')).AuditPage,
        // The import is lazy: no other page needs this code, so it stays out of the initial download.
        loader: async () => {
          const { loadAudit } = await import('./queries.ts')
          return ({ url }) => loadAudit(client, url.searchParams)
        },
      },
    },
  ]
}
