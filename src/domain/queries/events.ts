import { queryOptions } from '@tanstack/react-query'

import { api, isFull, serviceUrl } from '../../api/index.ts'
import { put, sharedStorage } from '../../auth/storage.ts'
import { type End, findEnd, pageSize, type ReadPage } from './log-end.ts'

/** Pages of the log by where they begin. */
export function logPages(signal: AbortSignal) {
  return (offset: number) => api.listEvents({ query: { offset: String(offset) }, signal })
}

/**
 * Query for the end of the event log, searched from its last known end. Only an event's id and a count are kept, so
 * nothing personal.
 */
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

/** Returns the end kept from an earlier visit to this service. A replaced log is recognised by the id. */
function keptEnd(): End | undefined {
  try {
    const { service, count, lastId } = JSON.parse(sharedStorage?.getItem(endKey) ?? '') as Record<
      string,
      unknown
    >
    if (service === serviceUrl() && Number.isSafeInteger(count) && typeof lastId === 'string')
      return { count: count as number, lastId }
  } catch {
    // Absent or malformed data.
  }
  return undefined
}

/** How many events the log has, for whoever goes through all of it. */
export async function findLogEnd(readPage: ReadPage): Promise<number> {
  return (await findEnd(readPage)).count
}

/**
 * A page of the API: up to 100 events from a multiple of 100 on, oldest first. `rows` are those that it is known to
 * have, so that a page which has grown is read again. Events change in nothing but their delivery: a full page whose
 * events are all delivered never changes any more.
 */
export function eventPageQuery(start: number, rows: number) {
  return queryOptions({
    queryKey: ['events', 'page', start, rows],
    queryFn: ({ signal }) => api.listEvents({ query: { offset: String(start) }, signal }),
    staleTime: ({ state: { data } }) =>
      data?.length === pageSize && data.every(({ delivered }) => delivered === true) ? Infinity : 30_000,
    ...(rows === pageSize && { gcTime: Infinity }),
  })
}

export function eventQuery(id: string) {
  return queryOptions({
    queryKey: ['events', 'one', id],
    queryFn: ({ signal }) => {
      const query = isFull() ? { with: 'delivery' as const } : {}
      return api.getEvent({ params: { event_id: id }, query, signal })
    },
  })
}
