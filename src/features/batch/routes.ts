import type { QueryClient } from '@tanstack/react-query'

import { pageRoute, prefetch } from '../../domain/page-route.ts'
import { jobsQuery } from '../../domain/queries/jobs.ts'
import { jobQuery } from './queries.ts'

export const batchRoutes = (client: QueryClient) => [
  pageRoute('batch', async () => (await import('./BatchPage.tsx')).BatchPage, {
    loader: () => {
      prefetch(client.query(jobsQuery()))
      return true
    },
  }),
  pageRoute('batchJob', async () => (await import('./JobPage.tsx')).JobPage, {
    load: ({ params: { jobId = '' } }) => client.query(jobQuery(jobId)),
  }),
]
