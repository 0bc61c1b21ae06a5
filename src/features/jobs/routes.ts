import type { QueryClient } from '@tanstack/react-query'

import { pageRoute } from '../../domain/page-route.ts'
import { jobsQuery } from '../../domain/queries/jobs.ts'
import { jobLayout } from './column-layout.ts'
import { jobQuery } from './queries.ts'

export const jobsRoutes = (client: QueryClient) => [
  pageRoute('jobs', async () => (await import('./JobsPage.tsx')).JobsPage, {
    skeleton: { columns: jobLayout },
    load: () => client.query(jobsQuery()),
  }),
  pageRoute('job', async () => (await import('./JobPage.tsx')).JobPage, {
    load: ({ params: { jobId = '' } }) => client.query(jobQuery(jobId)),
  }),
]
