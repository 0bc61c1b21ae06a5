import { queryOptions } from '@tanstack/react-query'

import { q } from '../../api/index.ts'

/** Query for a page of events about a user, newest first, which only a service that filters events can answer. */
export function activityQuery(id: string, after?: string) {
  return queryOptions({
    ...q('listEvents', { query: { user: id, order: 'desc', after } }),
    // Events older than a given event never change.
    staleTime: after === undefined ? Infinity : 'static',
  })
}
