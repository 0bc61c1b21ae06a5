import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  replaceEqualDeep,
} from '@tanstack/react-query'

import { type Endpoints, type Event, eventsPerPage, type Query } from '#contract/index.ts'
import { api, serviceUrl } from '../../api/index.ts'
import { put, sharedStorage } from '../../auth/storage.ts'
import { type End, findEnd, type ReadPage } from './log-end.ts'

type EventQuery = Query<Endpoints['listEvents']>

/** Contiguous part of the log, newest first, and where the parts beside it begin; undefined at an end of the log. */
export interface LogPage {
  readonly events: readonly Event[]
  readonly older?: EventQuery | undefined
  readonly newer?: EventQuery | undefined
  /** Number of events in the log up to the newest one of the page, from a service that only counts up. */
  readonly count?: number
}

/** Time within which Back finds the log as it was left, such as after a look at an event's subject. */
const rememberedMs = 30 * 60_000

const logKey = ['events', 'log'] as const

export interface LogPart {
  /** Whether the service filters, and reads backward; otherwise it only counts up. */
  readonly isFull: boolean
  readonly filter: EventQuery
  /** Moment that the list begins at; undefined for the end of the log. */
  readonly at: string | undefined
}

/**
 * Query for the events that match a filter, newest first, from the end of the log or from a moment on. The pages stay as
 * they were read, because the list that shows them must not move.
 */
export function eventLogQuery({ isFull, filter, at }: LogPart) {
  const query: EventQuery = { ...filter, with: 'delivery' }
  return infiniteQueryOptions({
    queryKey: [...logKey, filter, at],
    queryFn: ({ pageParam, client, signal }) =>
      !isFull
        ? readCounted(client, pageParam, signal)
        : pageParam !== undefined
          ? readPage({ ...query, ...pageParam }, signal)
          : at !== undefined
            ? readBefore(query, at, signal)
            : readPage({ ...query, order: 'desc' }, signal),
    initialPageParam: undefined as EventQuery | undefined,
    getNextPageParam: ({ older }: LogPage) => older,
    getPreviousPageParam: ({ newer }: LogPage) => newer,
    staleTime: Infinity,
    gcTime: rememberedMs,
    // A failure of the loader is shown, and repeated on request.
    retryOnMount: false,
  })
}
export type EventLogQuery = ReturnType<typeof eventLogQuery>

async function readPage(query: EventQuery, signal: AbortSignal): Promise<LogPage> {
  return pageOf(await api.listEvents({ query, signal }), query.order)
}

function pageOf(read: readonly Event[], order: EventQuery['order']): LogPage {
  const next = read.length === eventsPerPage ? { order, after: read.at(-1)?.id } : undefined
  return order === 'desc' ? { events: read, older: next } : { events: read.toReversed(), newer: next }
}

/**
 * Reads the events before the first one, in the order of the log, that is not before the moment. Old events that were
 * loaded later come after it. If there is none before it, the list begins with those after it.
 */
async function readBefore(query: EventQuery, at: string, signal: AbortSignal): Promise<LogPage> {
  const fromMs = Math.max(Date.parse(at), Date.parse(query.from ?? '') || -Infinity)
  const from = new Date(fromMs).toISOString()
  const following = await api.listEvents({ query: { ...query, order: 'asc', from }, signal })
  const [first] = following
  const page = await readPage({ ...query, order: 'desc', after: first?.id }, signal)
  const [newest] = page.events
  if (!newest) return pageOf(following, 'asc')
  return { ...page, newer: first && { order: 'asc', after: newest.id } }
}

/** Reads a page from a service that only counts up: the one that ends before an offset, or else the newest one. */
async function readCounted(
  client: QueryClient,
  page: EventQuery | undefined,
  signal: AbortSignal,
): Promise<LogPage> {
  const count =
    page?.offset === undefined
      ? (await client.query({ ...eventsEndQuery(), staleTime: 0 })).count
      : Number(page.offset)
  const offset = Math.max(0, count - eventsPerPage)
  const read = count === 0 ? [] : await api.listEvents({ query: { offset: String(offset) }, signal })
  const events = read.slice(0, count - offset).toReversed()
  return { events, count, older: offset > 0 ? { offset: String(offset) } : undefined }
}

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

/**
 * Loads the first page of a list, or finds the list as it was left. The page shows a failure.
 * @param left Aborted if the page is left before it is shown.
 */
export async function loadEventLog(
  client: QueryClient,
  query: EventLogQuery,
  left: AbortSignal,
): Promise<{ isKnown: boolean }> {
  const { queryKey } = query
  if (client.getQueryData(queryKey) !== undefined) return { isKnown: true }
  const cancel = () => void client.cancelQueries({ queryKey, exact: true })
  left.addEventListener('abort', cancel)
  await client.infiniteQuery({ ...query, staleTime: 'static' }).catch(() => undefined)
  left.removeEventListener('abort', cancel)
  return { isKnown: false }
}

/** Begins a list again with the newest events. If that fails, throws, and the list stays as it is. */
export async function restartEventLog(client: QueryClient, { queryKey }: EventLogQuery): Promise<void> {
  await client.cancelQueries({ queryKey, exact: true })
  const before = client.getQueryData(queryKey)
  // Otherwise all pages would be read again, one after the other.
  client.setQueryData(queryKey, (data) => data && { pages: data.pages.slice(0, 1), pageParams: [undefined] })
  try {
    await client.refetchQueries({ queryKey, exact: true }, { throwOnError: true })
  } catch (error) {
    client.setQueryData(queryKey, before)
    throw error
  }
}

/** Puts events that were read again in the place of their earlier states, in all lists. */
export function updateEventLogs(client: QueryClient, events: readonly Event[]): void {
  const read = new Map<string, Event>(events.map((event) => [event.id, event]))
  // Lists without a change are left alone, since writing them would clear the failure of a page.
  client.setQueriesData<InfiniteData<LogPage>>({ queryKey: logKey }, (data) => {
    const pages = data?.pages.map((page) => {
      const next = page.events.map((event) => replaceEqualDeep(event, read.get(event.id) ?? event))
      return next.every((event, at) => event === page.events[at]) ? page : { ...page, events: next }
    })
    return pages?.some((page, at) => page !== data?.pages[at]) && data ? { ...data, pages } : undefined
  })
}

/** Reads events again whose delivery may have changed: a page of them, upward from the one after `before`. */
export async function rereadEvents(
  client: QueryClient,
  filter: EventQuery,
  before: EventQuery,
): Promise<void> {
  // Without the filter by delivery, because the event may no longer match it.
  const { delivered: _, delivery: __, ...rest } = filter
  const query: EventQuery =
    before.offset === undefined ? { ...rest, ...before, with: 'delivery', order: 'asc' } : before
  updateEventLogs(client, await api.listEvents({ query }))
}
