import { type QueryClient, queryOptions } from '@tanstack/react-query'

import { api } from '../../api/index.ts'

/** After many writes: whatever is kept of users may be another by now. */
export function forgetUsers(client: QueryClient): void {
  for (const queryKey of [['users', 'list'], ['users', 'one'], ['entities']])
    client.removeQueries({ queryKey })
}

/** Property keys that the service knows, of entities of a type (`keys`). */
export function keysQuery(entity: string) {
  return queryOptions({
    queryKey: ['keys', entity],
    queryFn: ({ signal }) => api.listKeys({ query: { entity }, signal }),
  })
}
