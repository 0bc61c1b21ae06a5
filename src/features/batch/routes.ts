import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs, RouteObject } from 'react-router'

import { pages } from '#contract/pages.ts'

import { prefetch } from '../../domain/loading.ts'
import { jobsQuery } from '../../domain/queries/jobs.ts'
import { shellText } from '../../messages/index.ts'
import { jobQuery } from './queries.ts'

export function batchRoutes(client: QueryClient): RouteObject[] {
  return [
    {
      path: pages.batch.path,
      handle: { title: shellText.pages.batch },
      loader: () => {
        prefetch(client.query(jobsQuery()))
        return true
      },
      lazy: { Component: async () => (await import('./BatchPage.tsx')).BatchPage },
    },
    {
      path: pages.batchJob.path,
      handle: { title: shellText.pages.batchJob },
      loader: async ({ params: { jobId = '' } }: LoaderFunctionArgs) => {
        await client.query(jobQuery(jobId))
        return true
      },
      lazy: { Component: async () => (await import('./JobPage.tsx')).JobPage },
    },
  ]
}
