import { type QueryClient, queryOptions } from '@tanstack/react-query'

import { type Changeset, type Event, eventsPerPage } from '#contract/index.ts'

import { api, ApiError } from '../../../api/index.ts'
import { changesetQuery } from '../../../domain/queries/changesets.ts'
import { aboutUser } from '../../../domain/queries/users.ts'

/** One write to an entity. */
export interface Write {
  readonly event: Event
  /** What it changed; absent: the service no longer keeps it. */
  readonly changeset: Changeset | undefined
}

/** A part of the writes. */
export interface Page {
  readonly writes: readonly Write[]
  /** Where older ones are; absent: there are none. */
  readonly next: Place | undefined
}

/** Where a page begins. */
export interface Place {
  /** The event after which it follows; absent: the newest. */
  readonly after?: string | undefined
  /** Events that are read already, and not yet looked into. */
  readonly waiting: readonly Event[]
  /** What waits is all there is. */
  readonly isEnd?: boolean
}

/** Each write takes a request of its own, so that a page of the log is looked into by parts. */
const writesPerPage = 25

export const newest: Place = { waiting: [] }

/** The writes to an entity, newest first. Read anew whenever it is opened: what was just saved is the first of them. */
export function historyQuery(userId: string, entityId: string, place: Place) {
  return queryOptions({
    queryKey: [...aboutUser(userId), 'history', entityId, place.after ?? 'newest'],
    queryFn: async ({ client, signal }): Promise<Page> => {
      const { waiting, isEnd = false } =
        place.waiting.length > 0 ? place : await read(entityId, place, signal)
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

async function read(entity: string, { after }: Place, signal: AbortSignal) {
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
