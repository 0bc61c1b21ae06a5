import { queryOptions } from '@tanstack/react-query'

import type { Entity, Event } from '#contract/index.ts'
import { api, etagOf, fileUnder, offers } from '../../api/index.ts'

/** Last writer of a property or of an entity's type, with the time of the write. */
type Writer = {
  readonly actor: string
  readonly time: string
} & ({ readonly of: 'property'; readonly key: string } | { readonly of: 'entity type'; readonly key?: never })

/** Number of recent writes to search: a conflict is with one of the latest. */
const maxWrites = 10

/** Options of the queries for the writers of one version, whom only a full service records. Answers are not kept. */
const recordedOptions = (isAsked: boolean) =>
  ({ enabled: isAsked && offers('getChangeset'), staleTime: 'static', gcTime: 0 }) as const

/** Query for the last writers of the keys, and of the entity's type if `ofType`. */
export function lastWritersQuery(entity: Entity | undefined, keys: readonly string[], ofType: boolean) {
  return queryOptions({
    ...fileUnder('listEvents', {
      query: { entity: entity?.id },
      etag: entity && etagOf(entity),
      keys,
      ofType,
    }),
    queryFn: async ({ signal }): Promise<Writer[]> => {
      const query = { entity: String(entity?.id), type: 'DIRECT_DATA_CHANGE', order: 'desc' } as const
      const events = await api.listEvents({ query, signal })
      const writers: Writer[] = []
      const missing = new Set(keys)
      for (const event of events.slice(0, maxWrites)) {
        const write = await readSignedWrite(event, signal)
        if (!write) continue
        const { actor, time, changes, entityTypeBefore } = write
        for (const { key } of changes)
          if (missing.delete(key)) writers.push({ of: 'property', key, actor, time })
        if (entityTypeBefore != null && !writers.some(({ of }) => of === 'entity type'))
          writers.push({ of: 'entity type', actor, time })
        if (missing.size === 0 && (!ofType || writers.some(({ of }) => of === 'entity type'))) break
      }
      return writers
    },
    ...recordedOptions(entity !== undefined),
  })
}

/** Query for who last changed a user's own fields, and when; null if unknown. */
export function lastUserWriterQuery(id: string, etag: string | undefined) {
  return queryOptions({
    ...fileUnder('listEvents', { query: { user: id }, etag, as: 'last writer' }),
    queryFn: async ({ signal }) => {
      const query = { user: id, type: 'USER_UPDATED', order: 'desc' } as const
      const [last] = await api.listEvents({ query, signal })
      const write = last && (await readSignedWrite(last, signal))
      // Only author and time are kept: the written values are not needed.
      return write ? { actor: write.actor, time: write.time } : null
    },
    ...recordedOptions(true),
  })
}

/** Reads the write behind an event, without sensitive values; `undefined` without a write or an author. */
async function readSignedWrite({ properties: { changeset } }: Event, signal: AbortSignal) {
  if (typeof changeset !== 'string') return undefined
  const params = { changeset_id: changeset }
  const write = await api.getChangeset({ params, query: { sensitive: 'masked' }, signal })
  return typeof write.actor === 'string' ? { ...write, actor: write.actor } : undefined
}
