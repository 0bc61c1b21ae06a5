import type { QueryClient } from '@tanstack/react-query'

import { isRefused, keepCached, pageRoute, prefetch } from '../../domain/page-route.ts'
import { segmentsQuery } from '../../domain/queries/segments.ts'
import { usersQuery } from '../../domain/queries/users.ts'
import { type ListLoad, UsersPage } from './UsersPage.tsx'
import { UsersSkeleton } from './UserTable.tsx'

export const usersListRoutes = (client: QueryClient) => [
  // Comes with the first files, since most people open this page first: a file of its own would cost a round trip.
  pageRoute('users', async () => UsersPage, {
    HydrateFallback: UsersSkeleton,
    loader: async ({ url }): Promise<ListLoad> => {
      const { segment, offset } = Object.fromEntries(url.searchParams)
      prefetch(client.query({ ...segmentsQuery(), ...keepCached }))
      try {
        await client.query({ ...usersQuery({ segment, offset }), ...keepCached })
        return { missing: undefined }
      } catch (error) {
        if (segment !== undefined && isRefused(error, 404)) return { missing: 'segment' }
        if (offset !== undefined && isRefused(error, 400)) return { missing: 'offset' }
        throw error
      }
    },
  }),
]
