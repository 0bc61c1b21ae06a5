import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs, RouteObject } from 'react-router'

import { ApiError } from '../../api/index.ts'
import { kept } from '../../domain/loading.ts'
import { erasureQuery, keepsErasures } from '../../domain/queries/erasures.ts'
import { shellText } from '../../messages/index.ts'
import { listSkeleton } from '../../ui/ListSkeleton.tsx'
import { places } from './places.ts'
import { askedIn, deletedQuery } from './queries.ts'

const Skeleton = listSkeleton({
  title: shellText.pages.deletedUsers,
  lead: '480px',
  bars: [{ width: '260px', isBox: true, space: '0 0 12px' }],
  places,
})

/** Fails with a 404 if the service keeps no record of deletions. */
function requireOffer() {
  if (!keepsErasures()) throw new ApiError({ status: 404, code: 'not_found' })
}

export function deletedRoutes(client: QueryClient): RouteObject[] {
  return [
    {
      path: 'users/deleted',
      handle: { title: shellText.pages.deletedUsers },
      HydrateFallback: Skeleton,
      loader: async ({ url }: LoaderFunctionArgs) => {
        requireOffer()
        await client.query({ ...deletedQuery(askedIn(url.searchParams)), ...kept })
        return true
      },
      lazy: { Component: async () => (await import('./DeletedUsersPage.tsx')).DeletedUsersPage },
    },
    {
      path: 'users/deleted/:userId',
      handle: { title: shellText.pages.deletionReceipt },
      loader: async ({ params: { userId = '' } }: LoaderFunctionArgs) => {
        requireOffer()
        await client.query({ ...erasureQuery(userId), ...kept })
        return true
      },
      lazy: { Component: async () => (await import('./ReceiptPage.tsx')).ReceiptPage },
    },
  ]
}
