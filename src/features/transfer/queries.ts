import type { QueryClient } from '@tanstack/react-query'

/** After many writes: whatever is kept of users may be another by now. */
export function forgetUsers(client: QueryClient): void {
  for (const queryKey of [['users', 'list'], ['users', 'one'], ['entities']])
    client.removeQueries({ queryKey })
}
