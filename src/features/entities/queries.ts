import { type QueryClient, queryOptions } from '@tanstack/react-query'

import { type DataType, type Entity, type Event, eventsPerPage, type KnownKey } from '#contract/index.ts'

import { api, ApiError } from '../../api/index.ts'
import { changesetQuery } from '../../domain/queries/changesets.ts'
import { entitiesQuery, reading } from '../../domain/queries/entities.ts'
import { aboutUser, userQuery } from '../../domain/queries/users.ts'
import type { HistoryPage, HistoryPlace, Write } from './history/entries.ts'

/** Each write takes a request of its own, so that a page of the log is looked into by parts. */
const writesPerPage = 25

export const newest: HistoryPlace = { waiting: [] }

const countMs = 60_000

/** How many users have a key with a type, on an entity of a type; where the service counts and the caller may know. */
export function keyCountQuery(entity: string, { key, type }: Pick<KnownKey, 'key' | 'type'>) {
  return queryOptions({
    queryKey: ['keys', entity, 'count', key, type],
    queryFn: async ({ signal }) => {
      const where = [{ key, type: type as DataType, op: 'exists' as const }]
      const { total, atLeast } = await api.previewSegment({ body: { filter: { entity, where } }, signal })
      return { total, isMore: atLeast === true }
    },
    staleTime: countMs,
    retry: false,
  })
}

/**
 * Writes to an entity, newest first. Read again whenever the history is opened, since a save may just have added one.
 */
export function historyQuery(userId: string, entityId: string, place: HistoryPlace) {
  return queryOptions({
    queryKey: [...aboutUser(userId), 'history', entityId, place.after ?? 'newest'],
    queryFn: async ({ client, signal }): Promise<HistoryPage> => {
      const { waiting, isEnd = false } =
        place.waiting.length > 0 ? place : await readEvents(entityId, place, signal)
      const events = waiting.slice(0, writesPerPage)
      const writes = await Promise.all(events.map((event) => writeOf(client, userId, event)))
      const rest = waiting.slice(writesPerPage)
      const isLast = rest.length === 0 && isEnd
      return { writes, next: isLast ? undefined : { after: events.at(-1)?.id, waiting: rest, isEnd } }
    },
    staleTime: Infinity,
    gcTime: 0,
  })
}

async function readEvents(entity: string, { after }: HistoryPlace, signal: AbortSignal) {
  const query = { entity, type: 'DIRECT_DATA_CHANGE', order: 'desc', after } as const
  const waiting = await api.listEvents({ query, signal })
  return { waiting, isEnd: waiting.length < eventsPerPage }
}

async function writeOf(client: QueryClient, userId: string, event: Event): Promise<Write> {
  const { changeset: id } = event.properties
  if (typeof id !== 'string') return { event, changeset: undefined }
  try {
    return { event, changeset: await client.query(changesetQuery(userId, id)) }
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { event, changeset: undefined }
    throw error
  }
}

/** A name that was read is good enough for a while: it only says who an id is. */
const namedMs = 5 * 60_000

/** User that a relationship refers to. */
export function targetUserQuery(id: string) {
  return queryOptions({ ...userQuery(id), staleTime: namedMs })
}

/** Which entity a relationship names; taken from the list of its user where that has been read. */
export function targetEntityQuery(client: QueryClient, userId: string, entityId: string) {
  const list = entitiesQuery(userId).queryKey
  return queryOptions({
    // With the user's other entities, so that it is forgotten when they are.
    queryKey: [...list, 'one', entityId],
    queryFn: ({ signal }) =>
      api.getEntity({ params: { user_id: userId, entity_id: entityId }, query: reading(), signal }),
    staleTime: namedMs,
    structuralSharing: false,
    initialData: (): Entity | undefined => client.getQueryData(list)?.find(({ id }) => id === entityId),
    initialDataUpdatedAt: () => client.getQueryState(list)?.dataUpdatedAt,
  })
}
