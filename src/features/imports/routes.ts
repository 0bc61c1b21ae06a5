import type { QueryClient } from '@tanstack/react-query'

import { pageRoute } from '../../domain/page-route.ts'
import { importQuery } from './queries.ts'

export const importRoutes = (client: QueryClient) => [
  pageRoute('importUsers', async () => (await import('./FilePage.tsx')).FilePage),
  pageRoute('importJob', async () => (await import('./ImportPage.tsx')).ImportPage, {
    load: ({ params: { jobId = '' } }) => client.query(importQuery(jobId)),
  }),
]
