import type { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import type { RouteObject } from 'react-router'

import { pages } from '#contract/pages.ts'

import { shellText } from '../../messages/index.ts'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { prefetch, refetch, keepCached, loadUser } from '../../domain/loading.ts'
import { entitiesQuery, keepsValues } from '../../domain/queries/entities.ts'
import { segmentsQuery, userSegmentsQuery } from '../../domain/queries/segments.ts'
import type { PageHandle } from '../../domain/page-handle.ts'
import { userQuery } from '../../domain/queries/users.ts'
import type { UserPageProps } from './UserPage.tsx'
import { UserSkeleton } from './UserSkeleton.tsx'

export interface OfOthers extends UserPageProps {
  readonly tabs: RouteObject[]
}

export function userRoutes(client: QueryClient, { tabs, Timeline }: OfOthers): RouteObject[] {
  return [
    {
      path: pages.user.path,
      handle: {
        title: shellText.pages.user,
        prefetch: ({ userId = '' }, may) => [
          ...(may('users:read') ? [client.query(userQuery(userId))] : []),
          // A prefetch must not be logged as an access to sensitive values, so entities are prefetched only if the
          // service keeps those values back.
          ...(may('entities:read') && keepsValues() ? [client.query(entitiesQuery(userId))] : []),
        ],
      } satisfies PageHandle,
      HydrateFallback: UserSkeleton,
      loader: ({ params: { userId = '' } }) => {
        prefetch(client.query({ ...entitiesQuery(userId), ...keepCached }))
        return loadUser(client, userId)
      },
      lazy: {
        Component: async () => {
          const { UserPage } = await import('./UserPage.tsx')
          return () => createElement(UserPage, { Timeline })
        },
      },
      children: [...tabs, ...ownTabs(client)],
    },
  ]
}

const segmentsPage = () => import('./UserSegmentsPage.tsx')
const recordPage = () => import('./UserRecordPage.tsx')

/** Routes of this feature's tabs, which read the user's data again on each visit. */
function ownTabs(client: QueryClient): RouteObject[] {
  return [
    {
      path: pages.userSegments.path,
      handle: { title: shellText.pages.userSegments },
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
      lazy: {
        Component: async () => (await segmentsPage()).UserSegmentsPage,
        ErrorBoundary: async () => (await segmentsPage()).SegmentsFailure,
      },
    },
    {
      path: pages.userRecord.path,
      handle: { title: shellText.pages.userRecord },
      HydrateFallback: SkeletonRows,
      loader: ({ params: { userId = '' } }) =>
        Promise.all([
          client.query({ ...userQuery(userId), ...refetch }),
          client.query({ ...entitiesQuery(userId), ...refetch }),
        ]),
      lazy: {
        Component: async () => (await recordPage()).UserRecordPage,
        ErrorBoundary: async () => (await recordPage()).RecordFailure,
      },
    },
  ]
}
