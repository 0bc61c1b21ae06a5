import type { QueryClient } from '@tanstack/react-query'

import { ApiError } from '../api/index.ts'
import { userQuery } from './queries/users.ts'

// Query options shared by the loaders of several features.

/** Options of a loader that waits only for data missing from the cache. The page refreshes cached data itself. */
export const keepCached = { staleTime: 'static' } as const
/** Options of a loader that waits for a fresh answer on every visit, whatever is cached. */
export const refetch = { staleTime: 0 } as const
/** Starts a request before a page needs its data. The page that uses the data handles a failure. */
export const prefetch = (query: Promise<unknown>) => void query.catch(() => undefined)

export function isRefused(error: unknown, status: number): error is ApiError {
  return error instanceof ApiError && error.status === status
}

export interface UserLoad {
  readonly exists: boolean
}

/** Loads a user. The page handles a missing user; the app shell handles every other failure. */
export async function loadUser(client: QueryClient, userId: string): Promise<UserLoad> {
  try {
    await client.query({ ...userQuery(userId), ...keepCached })
    return { exists: true }
  } catch (error) {
    if (isRefused(error, 404)) return { exists: false }
    throw error
  }
}
