import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'

import type { LookedUpUser, User } from '#contract/index.ts'
import { api, offers } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { userListsKey, userQuery } from '../queries/users.ts'

/** What was looked up is not remembered for long. */
const forgottenMs = 10_000

/** Who the users with these ids are, in their order; those who are gone by now are left out. */
export function usePeople(ids: readonly string[]): readonly (LookedUpUser | User)[] {
  const asked = useDenied('users:read') === undefined ? ids : []
  const { data = [] } = useQuery(peopleQuery(asked))
  const users = useQueries({ queries: offers('users.lookup') ? [] : asked.map(keptUserQuery) })
  return offers('users.lookup') ? data : users.flatMap((read) => read.data?.user ?? [])
}

/** As they were read when their page was open: they are only named here. */
function keptUserQuery(id: string) {
  return queryOptions({ ...userQuery(id), staleTime: 'static' })
}

/** Where nobody can be looked up, nobody. */
export function peopleQuery(ids: readonly string[]) {
  return queryOptions({
    // Whoever is changed or deleted makes it wrong, as the lists.
    queryKey: [...userListsKey, 'people', ids],
    queryFn: ({ signal }) => api.lookUpUsers({ body: { ids: [...ids] }, signal }),
    enabled: ids.length > 0 && offers('users.lookup'),
    gcTime: forgottenMs,
  })
}
