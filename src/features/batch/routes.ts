import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs, RouteObject } from 'react-router'

import { ahead } from '../../domain/loading.ts'
import { jobsQuery } from '../../domain/queries/jobs.ts'
import { shellText } from '../../messages/index.ts'
import { jobQuery } from './queries.ts'

export function batchRoutes(client: QueryClient): RouteObject[] {
  return [
    {
      path: 'users/batch',
      handle: { title: shellText.pages.batch },
      loader: () => {
        ahead(client.query(jobsQuery()))
        return true
      },
      lazy: { Component: async () => (await import('./BatchPage.tsx')).BatchPage },
    },
    {
      path: 'users/batch/:jobId',
      handle: { title: shellText.pages.batchJob },
      loader: async ({ params: { jobId = '' } }: LoaderFunctionArgs) => {
        await client.query(jobQuery(jobId))
        return true
      },
      lazy: { Component: async () => (await import('./JobPage.tsx')).JobPage },
    },
  ]
}
