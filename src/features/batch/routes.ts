import { type LoaderFunctionArgs, redirect } from 'react-router'

import { pages } from '#contract/page-paths.ts'
import { links } from '../../domain/links.ts'
import { pageRoute } from '../../domain/page-route.ts'

export const batchRoutes = () => [
  pageRoute('batch', async () => (await import('./BatchPage.tsx')).BatchPage),
  {
    path: pages.batchJob.path,
    element: null,
    loader: ({ params: { jobId = '' } }: LoaderFunctionArgs) => redirect(links.job(jobId)),
  },
]
