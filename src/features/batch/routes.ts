import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs, RouteObject } from 'react-router'

import { ApiError, offers } from '../../api/index.ts'
import { ahead } from '../../domain/loading.ts'
import { jobsQuery } from '../../domain/queries/jobs.ts'
import { shellText } from '../../messages/index.ts'
import { jobQuery } from './queries.ts'

/** Fails with a 404 if the service does not offer batches. */
function requireOffer() {
  if (!offers('users.batch')) throw new ApiError({ status: 404, code: 'not_found' })
}

export function batchRoutes(client: QueryClient): RouteObject[] {
  return [
    {
      path: 'users/batch',
      handle: { title: shellText.pages.batch },
      loader: () => {
        requireOffer()
        ahead(client.query(jobsQuery()))
        return true
      },
      lazy: { Component: async () => (await import('./BatchPage.tsx')).BatchPage },
    },
    {
      path: 'users/batch/:jobId',
      handle: { title: shellText.pages.batchJob },
      loader: async ({ params: { jobId = '' } }: LoaderFunctionArgs) => {
        requireOffer()
        await client.query(jobQuery(jobId))
        return true
      },
      lazy: { Component: async () => (await import('./JobPage.tsx')).JobPage },
    },
  ]
}
