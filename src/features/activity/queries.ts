import { queryOptions } from '@tanstack/react-query'

import { api } from '../../api/index.ts'
import { aboutUser } from '../../domain/queries/users.ts'

/** Events about the user, newest first: a page of 100 after an event; where the service can look for them. */
export function activityQuery(id: string, after?: string) {
  return queryOptions({
    queryKey:
      after === undefined
        ? [...aboutUser(id), 'now', 'activity']
        : // Events before another one never change.
          [...aboutUser(id), 'activity', after],
    queryFn: ({ signal }) => api.listEvents({ query: { user: id, order: 'desc', after }, signal }),
    staleTime: Infinity,
  })
}
