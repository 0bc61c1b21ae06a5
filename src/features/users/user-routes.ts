import type { QueryClient } from '@tanstack/react-query'
import type { RouteObject } from 'react-router'

import { offers } from '../../api/index.ts'
import { shell } from '../../messages/index.ts'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { entitiesQuery } from '../entities/queries.ts'
import { eventsEndQuery } from '../events/queries.ts'
import { segmentsQuery, userSegmentsQuery } from '../segments/queries.ts'
import { userQuery } from './queries.ts'
import { activityQuery } from './user-queries.ts'

const failure = () => import('./TabFailure.tsx')

/** The tabs beside the entities. What they show is looked at anew at every visit. */
export function userTabs(client: QueryClient): RouteObject[] {
  const anew = { staleTime: 0 } as const
  return [
    {
      path: 'activity',
      handle: { title: shell.pages.userActivity },
      HydrateFallback: SkeletonRows,
      loader: async ({ params: { userId = '' } }) =>
        offers('events.filter')
          ? client.query({ ...activityQuery(userId), ...anew })
          : client.query({ ...eventsEndQuery(), ...anew }),
      lazy: {
        Component: async () => (await import('./activity/UserActivityPage.tsx')).UserActivityPage,
        ErrorBoundary: async () => (await failure()).ActivityFailure,
      },
    },
    {
      path: 'segments',
      handle: { title: shell.pages.userSegments },
      HydrateFallback: SkeletonRows,
      // An explanation that is opened or closed changes the address alone.
      shouldRevalidate: ({ currentUrl: from, nextUrl: to, defaultShouldRevalidate }) =>
        (from.pathname !== to.pathname || from.search === to.search) && defaultShouldRevalidate,
      loader: ({ params: { userId = '' } }) =>
        Promise.all([
          client.query(segmentsQuery()),
          offers('users.segments') && client.query({ ...userSegmentsQuery(userId), ...anew }),
        ]),
      lazy: {
        Component: async () => (await import('./UserSegmentsPage.tsx')).UserSegmentsPage,
        ErrorBoundary: async () => (await failure()).SegmentsFailure,
      },
    },
    {
      path: 'record',
      handle: { title: shell.pages.userRecord },
      HydrateFallback: SkeletonRows,
      loader: ({ params: { userId = '' } }) =>
        Promise.all([
          client.query({ ...userQuery(userId), ...anew }),
          client.query({ ...entitiesQuery(userId), ...anew }),
        ]),
      lazy: {
        Component: async () => (await import('./UserRecordPage.tsx')).UserRecordPage,
        ErrorBoundary: async () => (await failure()).RecordFailure,
      },
    },
  ]
}
