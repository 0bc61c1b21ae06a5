import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'

import { type Event, eventsPerPage } from '#contract/index.ts'
import { api, fileUnder } from '../../../api/index.ts'
import { isRefused } from '../../../domain/page-route.ts'
import { changesetQuery } from '../../../domain/queries/changesets.ts'
import type { HistoryPlace, EntityChange } from './entries.ts'

/** Reading the changes of each write takes its own request, so a page of the log is processed in parts of this size. */
const writesPerPage = 25

const newest: HistoryPlace = { waiting: [] }

/** Query for the writes to an entity, newest first. Read again on opening, since a save may have added one. */
export function historyQuery(userId: string, entityId: string) {
  return infiniteQueryOptions({
    ...fileUnder('listEvents', { query: { user: userId, entity: entityId }, as: 'history' }),
    queryFn: async ({ client, signal, pageParam: place }) => {
      const { waiting, isEnd = false } =
        place.waiting.length > 0 ? place : await readEvents(entityId, place, signal)
      const events = waiting.slice(0, writesPerPage)
      const writes = await Promise.all(events.map((event) => writeOf(client, userId, event)))
      const rest = waiting.slice(writesPerPage)
      const isLast = rest.length === 0 && isEnd
      return { writes, next: isLast ? undefined : { after: events.at(-1)?.id, waiting: rest, isEnd } }
    },
    initialPageParam: newest,
    getNextPageParam: ({ next }) => next,
    staleTime: 'static',
    gcTime: 0,
  })
}

async function readEvents(entity: string, { after }: HistoryPlace, signal: AbortSignal) {
  const query = { entity, type: 'DIRECT_DATA_CHANGE', order: 'desc', after } as const
  const waiting = await api.listEvents({ query, signal })
  return { waiting, isEnd: waiting.length < eventsPerPage }
}

async function writeOf(client: QueryClient, userId: string, event: Event): Promise<EntityChange> {
  const { changeset: id } = event.properties
  if (typeof id !== 'string') return { event, changeset: undefined }
  try {
    return { event, changeset: await client.query(changesetQuery(userId, id)) }
  } catch (error) {
    if (isRefused(error, 404)) return { event, changeset: undefined }
    throw error
  }
}
