import { type QueryClient, queryOptions } from '@tanstack/react-query'

import { api } from '../../api/index.ts'
import { type End, findEnd, pageSize, type ReadPage } from './tail.ts'

/** Where the log ends, found from where it ended before; kept in memory and looked for again while it is watched. */
export function eventsEndQuery() {
  const queryKey = ['events', 'end']
  return queryOptions({
    queryKey,
    queryFn: ({ client, signal }): Promise<End> =>
      findEnd(
        (offset) => api.listEvents({ query: { offset: String(offset) }, signal }),
        client.getQueryData<End>(queryKey),
      ),
    refetchInterval: 15_000,
    refetchOnWindowFocus: 'always',
    gcTime: Infinity,
  })
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
    queryFn: ({ signal }) => api.getEvent({ params: { event_id: id }, signal }),
  })
}

/** Events of one page of the list, newest first: those before a position, within the log as it was `count` long. */
export interface EventWindow {
  /** Rows that are older than the first one of the page, that one included. */
  readonly before: number
  readonly count: number
}

/** The pages of the API that the events of a window are on, oldest first. */
export function pagesOf({ before, count }: EventWindow) {
  const pages = []
  const first = Math.floor(Math.max(0, before - pageSize) / pageSize) * pageSize
  for (let start = first; start < before; start += pageSize)
    pages.push(eventPageQuery(start, Math.min(pageSize, count - start)))
  return pages
}

/** The position in an address, within the log; what is none means the newest events. */
export function windowAt(offset: string | null, count: number): EventWindow {
  const before = offset !== null && /^[1-9]\d{0,14}$/.test(offset) ? Math.min(Number(offset), count) : count
  return { before, count }
}

/** Reads what the list shows at an address: the newest events are looked for, older ones stay where they were found. */
export async function loadEvents(client: QueryClient, offset: string | null): Promise<EventWindow> {
  const { count } = await client.query({ ...eventsEndQuery(), staleTime: offset === null ? 0 : 'static' })
  const window = windowAt(offset, count)
  await Promise.all(pagesOf(window).map((page) => client.query(page)))
  return window
}
