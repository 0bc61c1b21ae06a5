import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs, RouteObject } from 'react-router'

import { pages } from '#contract/pages.ts'
import { q } from '../../api/index.ts'
import { keepCached } from '../../domain/loading.ts'
import { erasureQuery } from '../../domain/queries/erasures.ts'
import { shellText } from '../../messages/index.ts'
import { listSkeleton } from '../../ui/skeletons/ListSkeleton.tsx'
import { deletedPlaces, readListState } from './list-state.ts'

const DeletedSkeleton = listSkeleton({
  title: shellText.pages.deletedUsers,
  lead: '480px',
  bars: [{ width: '260px', isBox: true, space: '0 0 12px' }],
  places: deletedPlaces,
})

export function deletedRoutes(client: QueryClient): RouteObject[] {
  return [
    {
      path: pages.deletedUsers.path,
      handle: { title: shellText.pages.deletedUsers },
      HydrateFallback: DeletedSkeleton,
      loader: async ({ url }: LoaderFunctionArgs) => {
        await client.query({
          ...q('listErasures', { query: readListState(url.searchParams) }),
          ...keepCached,
        })
        return true
      },
      lazy: { Component: async () => (await import('./DeletedUsersPage.tsx')).DeletedUsersPage },
    },
    {
      path: pages.deletionReceipt.path,
      handle: { title: shellText.pages.deletionReceipt },
      loader: async ({ params: { userId = '' } }: LoaderFunctionArgs) => {
        await client.query({ ...erasureQuery(userId), ...keepCached })
        return true
      },
      lazy: { Component: async () => (await import('./ReceiptPage.tsx')).ReceiptPage },
    },
  ]
}
