import type { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import type { RouteObject } from 'react-router'

import { pages } from '#contract/pages.ts'

import { isFull } from '../../api/index.ts'
import { shellText } from '../../messages/index.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { refetch } from '../../domain/loading.ts'
import { eventsEndQuery } from '../../domain/queries/events.ts'
import { activityQuery } from './queries.ts'

/** Timeline beside a user's other tabs, if the window has room for it. */
export const Timeline = lazyPart(
  async () => (await import('./Timeline.tsx')).Timeline,
  createElement(SkeletonRows, { rows: 12 }),
)

const activityPage = () => import('./UserActivityPage.tsx')

/** Returns the route of the user page's activity tab. */
export function activityRoutes(client: QueryClient): RouteObject[] {
  const full = isFull()
  return [
    {
      path: pages.userActivity.path,
      handle: { title: shellText.pages.userActivity },
      HydrateFallback: SkeletonRows,
      loader: async ({ params: { userId = '' } }) =>
        full
          ? client.query({ ...activityQuery(userId), ...refetch })
          : client.query({ ...eventsEndQuery(), ...refetch }),
      lazy: {
        Component: async () => (await activityPage())[full ? 'UserActivityPage' : 'SearchedActivityPage'],
        ErrorBoundary: async () => (await activityPage()).ActivityFailure,
      },
    },
  ]
}
