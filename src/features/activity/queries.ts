import { queryOptions } from '@tanstack/react-query'

import { api } from '../../api/index.ts'
import { aboutUser } from '../../domain/queries/users.ts'

/** Query for a page of events about a user, newest first, which only a service that filters events can answer. */
export function activityQuery(id: string, after?: string) {
  return queryOptions({
    queryKey:
      after === undefined
        ? [...aboutUser(id), 'now', 'activity']
        : // Events older than a given event never change.
          [...aboutUser(id), 'activity', after],
    queryFn: ({ signal }) => api.listEvents({ query: { user: id, order: 'desc', after }, signal }),
    staleTime: Infinity,
  })
}
