import { type QueryClient, queryOptions } from '@tanstack/react-query'

import type { DataType, Entity, KnownKey } from '#contract/index.ts'
import { api, fileUnder, offers, q } from '../../api/index.ts'

const knownMs = 60_000

/** Query for the keys of an entity type: as the service lists them, or else those of the entities loaded so far. */
export function keysQuery(type: string) {
  const areListed = offers('listKeys')
  return queryOptions({
    ...fileUnder('listKeys', { query: { entity: type } }),
    queryFn: ({ client, signal }): Promise<readonly KnownKey[]> | readonly KnownKey[] =>
      areListed ? api.listKeys({ query: { entity: type }, signal }) : loadedKeys(client, type),
    staleTime: areListed ? knownMs : 0,
  })
}

/** Returns the distinct keys and types of the properties, and whether any is sensitive; values are left out. */
export function keysOf(entities: readonly Entity[]): readonly KnownKey[] {
  const keys = new Map<string, KnownKey>()
  for (const { properties } of entities)
    for (const { key, type, sensitive } of properties) {
      const name = JSON.stringify([key, type])
      keys.set(name, { key, type, sensitive: sensitive === true || keys.get(name)?.sensitive === true })
    }
  return [...keys.values()]
}

function loadedKeys(client: QueryClient, type: string): readonly KnownKey[] {
  const loaded = client.getQueriesData<readonly Entity[]>({
    queryKey: ['listEntities'],
    // Leaves out what other queries make of such a list.
    predicate: ({ queryKey: [, about] }) => !Object.hasOwn(about as object, 'as'),
  })
  const keys = keysOf(loaded.flatMap(([, all]) => all?.filter((entity) => entity.type === type) ?? []))
  return keys.toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

/** Query for how many users have a key with this type; needs a full service and a caller who may see the count. */
export function keyCountQuery(entity: string, { key, type }: Pick<KnownKey, 'key' | 'type'>) {
  return queryOptions({
    ...fileUnder('previewSegment', { as: 'users with', entity, key, type }),
    queryFn: async ({ signal }) => {
      const where = [{ key, type: type as DataType, op: 'exists' as const }]
      const { total, atLeast } = await api.previewSegment({ body: { filter: { entity, where } }, signal })
      return { total, isMore: atLeast === true }
    },
    staleTime: knownMs,
    retry: false,
  })
}

/** Polling interval, in milliseconds, while the service counts for the first time. */
const countingPollMs = 1000

interface Counted {
  readonly state: {
    readonly data: { readonly made?: string | undefined; readonly masked?: boolean | undefined } | undefined
  }
}
const pollUntilCounted = ({ state: { data } }: Counted) =>
  data && data.made === undefined && data.masked !== true ? countingPollMs : false

export function dictionaryQuery() {
  return queryOptions({ ...q('getDictionary'), staleTime: 0, refetchInterval: pollUntilCounted })
}

interface DefinitionsAsked {
  /** Whether the reader may know of keys and users, which come once the service has counted them. */
  readonly isCounted: boolean
  readonly isWanted?: boolean
}

/**
 * Query for all definitions: those that somebody wrote, and those that the values suggest. A bare service is not asked.
 */
export function definitionsQuery({ isCounted, isWanted = true }: DefinitionsAsked) {
  return queryOptions({
    ...q('listDefinitions'),
    enabled: isWanted && offers('listDefinitions'),
    refetchInterval: isCounted ? pollUntilCounted : false,
  })
}

/**
 * Query for the values that most users have for a property. A text that is typed to narrow them stays out of the
 * request, whose address might be logged.
 */
export function keyValuesQuery(type: string, key: string) {
  return queryOptions({
    ...q('listKeyValues', { params: { entity_type: type, key } }),
    refetchInterval: pollUntilCounted,
  })
}
