import { queryOptions } from '@tanstack/react-query'

import type { Entity } from '#contract/index.ts'

import { api, etagOf, isFull } from '../../api/index.ts'

/** The last writer of a property or of an entity type, and the time of the write. */
export type Writer = {
  readonly actor: string
  readonly time: string
} & ({ readonly of: 'property'; readonly key: string } | { readonly of: 'entity type'; readonly key?: never })

/** Writes that are looked through: a conflict is with one of the last. */
const maxWrites = 10

/** Query for the last writers of the keys and of the entity's type; empty where the service does not name them. */
export function lastWritersQuery(entity: Entity | undefined, keys: readonly string[]) {
  return queryOptions({
    queryKey: ['last writers', entity?.id, entity && etagOf(entity), keys],
    queryFn: async ({ signal }): Promise<Writer[]> => {
      const query = { entity: String(entity?.id), type: 'DIRECT_DATA_CHANGE', order: 'desc' } as const
      const events = await api.listEvents({ query, signal })
      const writers: Writer[] = []
      const missing = new Set(keys)
      for (const { properties } of events.slice(0, maxWrites)) {
        const { changeset } = properties
        if (typeof changeset !== 'string') continue
        const { actor, time, changes, entityTypeBefore } = await api.getChangeset({
          params: { changeset_id: changeset },
          query: { sensitive: 'masked' },
          signal,
        })
        if (typeof actor !== 'string') continue
        for (const { key } of changes)
          if (missing.delete(key)) writers.push({ of: 'property', key, actor, time })
        if (entityTypeBefore != null && !writers.some(({ of }) => of === 'entity type'))
          writers.push({ of: 'entity type', actor, time })
        if (missing.size === 0) break
      }
      return writers
    },
    enabled: entity !== undefined && isFull(),
    gcTime: 0,
  })
}
