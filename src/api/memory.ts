import type { QueryClient } from '@tanstack/react-query'

// A session remembers the state of its lists here: personal data such as search texts and ids, so it is kept beside the cached
// answers, is cleared with them at sign-out, and never gets into a URL, history.state or storage.

type Name = readonly [what: string, of?: string]

const keyOf = (name: Name) => ['remembered', ...name] as const

/** Remembers a value for a time in milliseconds, from now on; `Infinity` until the sign-out. */
export function remember(client: QueryClient, name: Name, value: unknown, forMs: number): void {
  const queryKey = keyOf(name)
  // The entry is removed and created again, because its lifetime counts from creation.
  client.removeQueries({ queryKey, exact: true })
  client.getQueryCache().build(client, { queryKey, gcTime: forMs }).setData(value, { manual: true })
}

export function recall(client: QueryClient, ...name: Name): unknown {
  return client.getQueryData(keyOf(name))
}
