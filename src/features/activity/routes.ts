import type { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'

import { pageRoute, refetch } from '../../domain/page-route.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { activityQuery } from './queries.ts'

/** Timeline beside a user's other tabs, if the page has room for it. */
export const Timeline = lazyPart(
  async () => (await import('./ActivityList.tsx')).Timeline,
  createElement(SkeletonRows, { rows: 12 }),
)

const activityPage = () => import('./UserActivityPage.tsx')

export const activityRoutes = (client: QueryClient) => [
  pageRoute('userActivity', async () => (await activityPage()).UserActivityPage, {
    HydrateFallback: SkeletonRows,
    loader: ({ params: { userId = '' } }) => client.query({ ...activityQuery(userId), ...refetch }),
    lazy: { ErrorBoundary: async () => (await activityPage()).ActivityFailure },
  }),
]
