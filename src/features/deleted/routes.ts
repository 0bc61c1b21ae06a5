import type { QueryClient } from '@tanstack/react-query'

import { keepCached, pageRoute } from '../../domain/page-route.ts'
import { erasureQuery } from '../../domain/queries/erasures.ts'
import { deletedLayout, deletedQuery, readListState } from './list-state.ts'

export const deletedRoutes = (client: QueryClient) => [
  pageRoute('deletedUsers', async () => (await import('./DeletedUsersPage.tsx')).DeletedUsersPage, {
    skeleton: {
      lead: '480px',
      bars: [{ width: '260px', isBox: true, space: '0 0 12px' }],
      columns: deletedLayout,
    },
    load: ({ url }) => client.query({ ...deletedQuery(readListState(url.searchParams)), ...keepCached }),
  }),
  pageRoute('deletionReceipt', async () => (await import('./ReceiptPage.tsx')).ReceiptPage, {
    load: ({ params: { userId = '' } }) => client.query({ ...erasureQuery(userId), ...keepCached }),
  }),
]
