import type { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import type { RouteObject } from 'react-router'

import { keepCached, loadUser, pageRoute, prefetch, refetch } from '../../domain/page-route.ts'
import { entitiesQuery, keepsValues } from '../../domain/queries/entities.ts'
import { segmentsQuery, userSegmentsQuery } from '../../domain/queries/segments.ts'
import { userQuery } from '../../domain/queries/users.ts'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { UserSkeleton } from './UserLayout.tsx'
import type { UserPageProps } from './UserPage.tsx'

interface OfOthers extends UserPageProps {
  readonly tabs: RouteObject[]
}

export const userRoutes = (client: QueryClient, { tabs, Timeline }: OfOthers) => [
  pageRoute(
    'user',
    async () => {
      const { UserPage } = await import('./UserPage.tsx')
      return () => createElement(UserPage, { Timeline })
    },
    {
      prefetch: ({ userId = '' }, may) => [
        ...(may('users:read') ? [client.query(userQuery(userId))] : []),
        // A prefetch must not be logged as an access to sensitive values, so entities are prefetched only if the
        // service keeps those values back.
        ...(may('entities:read') && keepsValues() ? [client.query(entitiesQuery(userId))] : []),
      ],
      HydrateFallback: UserSkeleton,
      loader: ({ params: { userId = '' } }) => {
        prefetch(client.query({ ...entitiesQuery(userId), ...keepCached }))
        return loadUser(client, userId)
      },
      children: [...tabs, ...ownTabs(client)],
    },
  ),
]

const segmentsPage = () => import('./UserSegmentsPage.tsx')
const recordPage = () => import('./UserRecordPage.tsx')

/** Routes of this feature's tabs, which read the user's data again on each visit. */
const ownTabs = (client: QueryClient) => [
  pageRoute('userSegments', async () => (await segmentsPage()).UserSegmentsPage, {
    HydrateFallback: SkeletonRows,
    // Opening or closing an explanation changes only the URL, so nothing is reloaded.
    shouldRevalidate: ({ currentUrl: from, nextUrl: to, defaultShouldRevalidate }) =>
      (from.pathname !== to.pathname || from.search === to.search) && defaultShouldRevalidate,
    loader: ({ params: { userId = '' } }) =>
      Promise.all([
        // The list of segments is optional: it adds only descriptions.
        client.query(segmentsQuery()).catch(() => undefined),
        client.query({ ...userSegmentsQuery(userId), ...refetch }),
      ]),
    lazy: { ErrorBoundary: async () => (await segmentsPage()).SegmentsFailure },
  }),
  pageRoute('userRecord', async () => (await recordPage()).UserRecordPage, {
    HydrateFallback: SkeletonRows,
    loader: ({ params: { userId = '' } }) =>
      Promise.all([
        client.query({ ...userQuery(userId), ...refetch }),
        client.query({ ...entitiesQuery(userId), ...refetch }),
      ]),
    lazy: { ErrorBoundary: async () => (await recordPage()).RecordFailure },
  }),
]
