import type { QueryClient } from '@tanstack/react-query'

import { ApiError } from '../api/index.ts'
import { userQuery } from './queries/users.ts'

// Query options shared by the loaders of several features.

/** Options of a loader that waits only for data missing from the cache. The page refreshes cached data itself. */
export const keepCached = { staleTime: 'static' } as const
/** Options of a loader that waits for a fresh answer on every visit, whatever is cached. */
export const refetch = { staleTime: 0 } as const
/** Asks before a page needs it; a failure is met by the page that does. */
export const prefetch = (query: Promise<unknown>) => void query.catch(() => undefined)

export function isRefused(error: unknown, status: number): error is ApiError {
  return error instanceof ApiError && error.status === status
}

export interface UserLoad {
  readonly exists: boolean
}

/** That there is no such user is for the page to say; every other failure is the shell's. */
export async function loadUser(client: QueryClient, userId: string): Promise<UserLoad> {
  try {
    await client.query({ ...userQuery(userId), ...keepCached })
    return { exists: true }
  } catch (error) {
    if (isRefused(error, 404)) return { exists: false }
    throw error
  }
}
