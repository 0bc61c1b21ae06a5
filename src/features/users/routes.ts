import type { QueryClient } from '@tanstack/react-query'
import type { RouteObject } from 'react-router'

import { ApiError } from '../../api/index.ts'
import { shell } from '../../messages/index.ts'
import { entitiesQuery } from '../entities/queries.ts'
import { segmentsQuery } from '../segments/queries.ts'
import { usersQuery, userQuery } from './queries.ts'
import { userTabs } from './user-routes.ts'
import { UserSkeleton } from './UserSkeleton.tsx'
import { UsersSkeleton } from './UsersSkeleton.tsx'

// What a page of this feature has an answer of its own to; every other failure is the shell's.

export interface ListLoad {
  /** What the address names and the service does not know (any more). */
  readonly missing: 'segment' | 'offset' | undefined
}

export interface UserLoad {
  readonly exists: boolean
}

function isRefused(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status
}

// What is kept is shown at once and read again behind it; only what is not there is waited for.
const kept = { staleTime: 'static' } as const
/** A failure of what is only asked for ahead is met by the page that needs it. */
const ahead = (query: Promise<unknown>) => void query.catch(() => undefined)

/** @param entityChildren The pages below a user, shown under the user's own card. */
export function usersRoutes(client: QueryClient, entityChildren: RouteObject[]): RouteObject[] {
  const loadUser = async (userId: string): Promise<UserLoad> => {
    try {
      await client.query({ ...userQuery(userId), ...kept })
      return { exists: true }
    } catch (error) {
      if (isRefused(error, 404)) return { exists: false }
      throw error
    }
  }
  return [
    {
      path: 'users',
      handle: { title: shell.pages.users },
      HydrateFallback: UsersSkeleton,
      loader: async ({ url }): Promise<ListLoad> => {
        const { segment, offset } = Object.fromEntries(url.searchParams)
        ahead(client.query({ ...segmentsQuery(), ...kept }))
        try {
          await client.query({ ...usersQuery({ segment, offset }), ...kept })
          return { missing: undefined }
        } catch (error) {
          if (segment !== undefined && isRefused(error, 404)) return { missing: 'segment' }
          if (offset !== undefined && isRefused(error, 400)) return { missing: 'offset' }
          throw error
        }
      },
      lazy: { Component: async () => (await import('./UsersPage.tsx')).UsersPage },
    },
    {
      path: 'users/new',
      handle: { title: shell.pages.newUser },
      lazy: { Component: async () => (await import('./NewUserPage.tsx')).NewUserPage },
    },
    {
      path: 'users/export',
      handle: { title: shell.pages.exportUsers },
      lazy: { Component: async () => (await import('./transfer/ExportPage.tsx')).ExportPage },
    },
    {
      path: 'users/import',
      handle: { title: shell.pages.importUsers },
      lazy: { Component: async () => (await import('./transfer/ImportPage.tsx')).ImportPage },
    },
    {
      path: 'users/:userId',
      handle: { title: shell.pages.user },
      HydrateFallback: UserSkeleton,
      loader: ({ params: { userId = '' } }) => {
        ahead(client.query({ ...entitiesQuery(userId), ...kept }))
        return loadUser(userId)
      },
      lazy: { Component: async () => (await import('./UserPage.tsx')).UserPage },
      children: [...entityChildren, ...userTabs(client)],
    },
    {
      path: 'users/:userId/access',
      handle: { title: shell.pages.subjectAccess },
      loader: ({ params: { userId = '' } }) => loadUser(userId),
      lazy: { Component: async () => (await import('./access/SubjectAccessPage.tsx')).SubjectAccessPage },
    },
  ]
}
