import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'

import type { Endpoints, Query, Reply } from '#contract/index.ts'
import { api, fileUnder, isFull, q, serviceUrl } from '../../api/index.ts'
import { put, sharedStorage } from '../../auth/storage.ts'
import { type End, findEnd, type ReadPage } from './log-end.ts'

/** Returns a function that reads the page of the log at an offset. */
export function logPages(signal: AbortSignal) {
  return (offset: number) => api.listEvents({ query: { offset: String(offset) }, signal })
}

/** Query for the end of the event log, from its last known end. Stores an id and a count, no personal data. */
export function eventsEndQuery() {
  const queryKey = ['events', 'end']
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<End> => {
      const end = await findEnd(logPages(signal), client.getQueryData<End>(queryKey) ?? keptEnd())
      put(sharedStorage, endKey, JSON.stringify({ ...end, service: serviceUrl() }))
      return end
    },
    gcTime: Infinity,
  })
}

const endKey = 'data-store.log-end'

/** Returns the end of an earlier visit to this service. The id reveals whether the log has been replaced since. */
function keptEnd(): End | undefined {
  try {
    const { service, count, lastId } = JSON.parse(sharedStorage?.getItem(endKey) ?? '') as Record<
      string,
      unknown
    >
    if (service === serviceUrl() && Number.isSafeInteger(count) && typeof lastId === 'string')
      return { count: count as number, lastId }
  } catch {
    // The data is absent or malformed.
  }
  return undefined
}

/** Returns the number of events in the log, for callers that read all of it. */
export async function findLogEnd(readPage: ReadPage): Promise<number> {
  return (await findEnd(readPage)).count
}

export function eventQuery(id: string) {
  return q('getEvent', { params: { event_id: id }, query: isFull() ? { with: 'delivery' } : {} })
}

export interface EventCounting {
  readonly query: Query<Endpoints['countEvents']>
  /** Whether the period has ended, so that no event is added to it. */
  readonly isOver: boolean
}

const recountMs = 60_000

/**
 * Query for counts of events, as `read` puts them. The previous counts stay as they were put until the next ones load.
 */
export function eventCountsQuery<Asked extends EventCounting, Counts>(
  asked: Asked | undefined,
  read: (asked: Asked, reply: Reply<Endpoints['countEvents']>) => Counts,
) {
  return queryOptions({
    ...fileUnder('countEvents', { as: 'bars', ...asked }),
    queryFn: asked
      ? async ({ signal }) => read(asked, await api.countEvents({ query: asked.query, signal }))
      : skipToken,
    placeholderData: keepPreviousData,
    staleTime: recountMs,
    refetchInterval: asked?.isOver === false && recountMs,
    refetchOnWindowFocus: true,
  })
}
