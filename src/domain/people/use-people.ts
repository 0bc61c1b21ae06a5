import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'

import type { LookedUpUser, User } from '#contract/index.ts'
import { api, fileUnder, offers } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { userQuery } from '../queries/users.ts'

/** Lifetime of unused look-ups in the cache, in milliseconds. Short, so that personal data does not linger. */
const lookUpGcMs = 10_000

/** Returns the users with these ids, in the same order; users deleted in the meantime are left out. */
export function usePeople(ids: readonly string[]): readonly (LookedUpUser | User)[] {
  const looksUp = offers('lookUpUsers')
  const readableIds = useDenied('users:read') === undefined ? ids : []
  const { data = [] } = useQuery(peopleQuery(looksUp ? readableIds : []))
  const users = useQueries({ queries: looksUp ? [] : readableIds.map(namedUserQuery) })
  return looksUp ? data : users.flatMap((read) => read.data?.user ?? [])
}

/** Query for a user of whom only the name is shown, so that a cached copy never counts as stale. */
const namedUserQuery = (id: string) => queryOptions({ ...userQuery(id), staleTime: 'static' })

/** Query that looks up users by their ids, which only a full service can. */
export function peopleQuery(ids: readonly string[]) {
  return queryOptions({
    ...fileUnder('lookUpUsers', { ids }),
    queryFn: ({ signal }) => api.lookUpUsers({ body: { ids: [...ids] }, signal }),
    enabled: ids.length > 0,
    gcTime: lookUpGcMs,
  })
}
