import type { InferDataFromTag, Query, QueryClient, QueryKey, Updater } from '@tanstack/react-query'

import { endpoints, type WriteName } from '#contract/index.ts'
import type { About, ReadName } from './operations.ts'
import { dropped, logs, putByWriter, quoting, stale } from './query-client.ts'

type Ids = Readonly<Record<string, string>>

/**
 * Makes cached answers stale after a write, by the table `stale`. Those on the screen are read again, the others when
 * they are next shown. An answer about other ids than those in the path of the write stays fresh.
 */
export function outdate(client: QueryClient, write: WriteName, ids: Ids): void {
  if (endpoints[write].method === 'DELETE') forgetAbout(client, ids)
  const names: readonly string[] = stale[write]
  const isStale = (query: Query) => {
    const read = readName(query)
    if (!names.includes(read)) return false
    const about = idsOf(query)
    if (logs.has(read) && about['user_id'] === undefined) return false
    return Object.entries(ids).every(([id, value]) => (about[id] ?? value) === value)
  }
  const isOfEntity = names.includes('listEntities')
  if (!isOfEntity)
    client.removeQueries({
      type: 'inactive',
      predicate: (query) => dropped.has(readName(query)) && isStale(query),
    })
  const isPut = (query: Query) => readName(query) === putByWriter[write]
  void client.invalidateQueries({ predicate: (query) => isStale(query) && !isPut(query) })
  void client.invalidateQueries({ predicate: (query) => isStale(query) && isPut(query), refetchType: 'none' })
}

/** Drops the answers about what was deleted; those on the screen once it is left, since reading them again would fail. */
function forgetAbout(client: QueryClient, ids: Ids): void {
  const [name = '', id] = Object.entries(ids).at(-1) ?? []
  const cache = client.getQueryCache()
  const isAbout = (query: Query) =>
    idsOf(query)[name] === id ||
    (name === 'user_id' && quoting.has(readName(query))) ||
    (name === 'segment_id' && aboutOf(query).query?.['segment'] === id)
  const left = new Set(cache.findAll({ predicate: isAbout }))
  const drop = (query: Query) => {
    if (query.getObserversCount() > 0) return
    left.delete(query)
    cache.remove(query)
  }
  for (const query of left) drop(query)
  if (left.size === 0) return
  const stop = cache.subscribe(({ type, query }) => {
    if (type === 'observerRemoved' && left.has(query)) drop(query)
    if (left.size === 0) stop()
  })
}

const readName = ({ queryKey }: Query) => String(queryKey[0])

const aboutOf = ({ queryKey: [, about] }: Query) => (about ?? {}) as About

function idsOf(read: Query): Ids {
  const { params, query = {} } = aboutOf(read)
  const user = query['user']
  return { ...params, ...(typeof user === 'string' && { user_id: user }) }
}

/** Drops all that was read about users, after a change of many by the service; what is on the screen stays. */
export function forgetUsers(client: QueryClient): void {
  client.removeQueries({
    type: 'inactive',
    predicate: (query) => dropped.has(readName(query)) || idsOf(query)['user_id'] !== undefined,
  })
}

/** Makes all answers of these operations stale, whatever they are about, because a read has shown that they are. */
export async function invalidate(client: QueryClient, ...names: readonly ReadName[]): Promise<void> {
  await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })))
}

/**
 * Makes the answers of a query stale, also those with more parts than its own, because another answer has told that
 * they are. Cancels pending reads too, since their answers may be from before the change.
 */
export async function reread(client: QueryClient, { queryKey }: Cached<QueryKey>): Promise<void> {
  await client.cancelQueries({ queryKey })
  await client.invalidateQueries({ queryKey })
}

/** Waits until answers of these operations that a write made stale have been read again, if they are on the screen. */
export async function refresh(client: QueryClient, ...names: readonly ReadName[]): Promise<void> {
  const wanted = new Set<string>(names)
  await client.refetchQueries(
    { type: 'active', predicate: (query) => query.state.isInvalidated && wanted.has(readName(query)) },
    { cancelRefetch: false },
  )
}

interface Cached<Key> {
  readonly queryKey: Key
}

/** Returns the cached answer of a query, without asking for it. */
export function peek<Key extends QueryKey>(client: QueryClient, { queryKey }: Cached<Key>) {
  return client.getQueryData(queryKey)
}

/** Puts an answer that a write or another read returned into the cache. */
export function put<Key extends QueryKey>(
  client: QueryClient,
  { queryKey }: Cached<Key>,
  answer: Updater<
    NoInfer<InferDataFromTag<unknown, Key>> | undefined,
    NoInfer<InferDataFromTag<unknown, Key>> | undefined
  >,
): void {
  client.setQueryData(queryKey, answer)
}
