import type { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import type { RouteObject } from 'react-router'

import { pages } from '#contract/pages.ts'

import { shellText } from '../../messages/index.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { refetch } from '../../domain/loading.ts'
import { activityQuery } from './queries.ts'

/** Timeline beside a user's other tabs, if the page has room for it. */
export const Timeline = lazyPart(
  async () => (await import('./Timeline.tsx')).Timeline,
  createElement(SkeletonRows, { rows: 12 }),
)

const activityPage = () => import('./UserActivityPage.tsx')

export function activityRoutes(client: QueryClient): RouteObject[] {
  return [
    {
      path: pages.userActivity.path,
      handle: { title: shellText.pages.userActivity },
      HydrateFallback: SkeletonRows,
      loader: ({ params: { userId = '' } }) => client.query({ ...activityQuery(userId), ...refetch }),
      lazy: {
        Component: async () => (await activityPage()).UserActivityPage,
        ErrorBoundary: async () => (await activityPage()).ActivityFailure,
      },
    },
  ]
}
