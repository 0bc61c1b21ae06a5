import type { QueryClient } from '@tanstack/react-query'

import { type Event, eventsPerPage } from '#contract/index.ts'
import { api } from '../../../api/index.ts'
import { type EventFilter, toEventQuery } from './filter.ts'
import { eventPageQuery, eventsEndQuery } from '../../../domain/queries/events.ts'
import { findTime } from './seek.ts'

/** Contiguous part of the log, newest first. */
export interface Stretch {
  readonly events: readonly Event[]
  readonly hasOlder: boolean
  readonly hasNewer: boolean
}

/**
 * Reads a contiguous part of the log that grows at both ends, and keeps the position of its ends. Callers wait for one
 * response at an end before they read there again. A read that fails or is aborted moves no end.
 */
export interface LogSource {
  readonly readNewest: (signal: AbortSignal) => Promise<Stretch>
  /** Reads events on both sides of a moment; `index` is that of the newest event before it. */
  readonly readAround: (timeMs: number, signal: AbortSignal) => Promise<Stretch & { readonly index: number }>
  readonly readOlder: (signal: AbortSignal) => Promise<Pick<Stretch, 'events' | 'hasOlder'>>
  readonly readNewer: (signal: AbortSignal) => Promise<Pick<Stretch, 'events' | 'hasNewer'>>
  /** Moves the newer end to an event that did not arrive through `readNewer`. */
  readonly setNewest: (newest: Event) => void
  readonly newestId: () => string | undefined
  /** Refetches a page, newest first, which follows `before`: its end is `fromOldest` rows after the oldest loaded row. */
  readonly reread: (fromOldest: number, before: Event | undefined) => Promise<Event[]>
  /** Returns the length of the log; undefined if it is not counted. */
  readonly total: () => number | undefined
}

/** Reads a log by position, from a service that only pages forward from the oldest event. */
export function countedSource(client: QueryClient): LogSource {
  let from = 0
  let to = 0
  const read = (offset: number, signal?: AbortSignal) =>
    api.listEvents({ query: { offset: String(offset) }, ...(signal && { signal }) })
  const findEnd = async () => (await client.query({ ...eventsEndQuery(), staleTime: 0 })).count
  const extend = (rows: readonly Event[]) => {
    to += rows.length
    const lastId = rows.at(-1)?.id
    // A page that is not full is the last one of the log.
    if (lastId !== undefined && rows.length < eventsPerPage)
      client.setQueryData(eventsEndQuery().queryKey, { count: to, lastId })
    return { events: rows.toReversed(), hasNewer: rows.length === eventsPerPage }
  }

  return {
    async readNewest(signal) {
      const count = await findEnd()
      const start = Math.max(0, count - eventsPerPage)
      const rows = count === 0 ? [] : await read(start, signal)
      signal.throwIfAborted()
      from = start
      to = start + rows.length
      return { events: rows.toReversed(), hasOlder: from > 0, hasNewer: false }
    },

    async readAround(timeMs, signal) {
      const count = await findEnd()
      const times = async (offset: number) =>
        (await read(offset, signal)).map(({ eventtime }) => Date.parse(eventtime))
      const place = count === 0 ? 0 : await findTime(times, timeMs, count)
      const start = Math.max(0, place - eventsPerPage)
      const [before, behind] = await Promise.all([
        place === 0 ? [] : read(start, signal),
        place < count ? read(place, signal) : [],
      ])
      const events = [...before.slice(0, place - start), ...behind].toReversed()
      from = start
      to = place + behind.length
      return { events, index: behind.length, hasOlder: from > 0, hasNewer: to < count }
    },

    async readOlder(signal) {
      // Cached pages start at multiples of 100; the two pages before this one are prefetched.
      const startOf = (position: number) =>
        Math.max(0, Math.floor((position - 1) / eventsPerPage) * eventsPerPage)
      const start = startOf(from)
      for (const offset of [start - eventsPerPage, start - 2 * eventsPerPage])
        // A failed prefetch is retried, and its failure shown, once the page is needed.
        if (offset >= 0) void client.query(eventPageQuery(offset)).catch(() => undefined)
      const page = await client.query(eventPageQuery(start))
      signal.throwIfAborted()
      const events = page.slice(0, from - start).toReversed()
      from = start
      return { events, hasOlder: from > 0 }
    },

    async readNewer(signal) {
      const rows = await read(to, signal)
      signal.throwIfAborted()
      return extend(rows)
    },

    setNewest: () => undefined,
    newestId: () => undefined,
    reread: async (fromOldest) => (await read(from + fromOldest)).toReversed(),
    total: () => Math.max(to, client.getQueryData(eventsEndQuery().queryKey)?.count ?? 0),
  }
}

/** Reads a log by event id, from a service that filters and pages in both directions. */
export function filteredSource(filter: EventFilter): LogSource {
  const asked = toEventQuery(filter)
  let oldest: string | undefined
  let newest: string | undefined
  const read = (query: { order: 'asc' | 'desc'; after?: string | undefined }, signal: AbortSignal) =>
    api.listEvents({ query: { ...asked, ...query }, signal })
  const isFullPage = (events: readonly Event[]) => events.length === eventsPerPage
  const readNewest = async (signal: AbortSignal): Promise<Stretch> => {
    const events = await read({ order: 'desc' }, signal)
    signal.throwIfAborted()
    newest = events[0]?.id
    oldest = events.at(-1)?.id
    return { events, hasOlder: isFullPage(events), hasNewer: false }
  }

  return {
    readNewest,

    async readAround(timeMs, signal) {
      // The anchor is the first event that is not before the moment. Old events that were loaded late come after it.
      const fromMs = Math.max(timeMs, filter.from === undefined ? -Infinity : Date.parse(filter.from))
      const query = { ...asked, order: 'asc' as const, from: new Date(fromMs).toISOString() }
      const behind = await api.listEvents({ query, signal })
      if (!behind[0]) return { ...(await readNewest(signal)), index: 0 }
      const before = await read({ order: 'desc', after: behind[0].id }, signal)
      // Read without the lower time limit, which would leave gaps for old events that were loaded late.
      const after = await read({ order: 'asc', after: behind[0].id }, signal)
      const events = [...after.toReversed(), behind[0], ...before]
      newest = events[0]?.id
      oldest = events.at(-1)?.id
      return { events, index: after.length + 1, hasOlder: isFullPage(before), hasNewer: isFullPage(after) }
    },

    async readOlder(signal) {
      const events = await read({ order: 'desc', after: oldest }, signal)
      signal.throwIfAborted()
      oldest = events.at(-1)?.id ?? oldest
      return { events, hasOlder: isFullPage(events) }
    },

    async readNewer(signal) {
      if (newest === undefined) {
        const { events } = await readNewest(signal)
        return { events, hasNewer: false }
      }
      const events = await read({ order: 'asc', after: newest }, signal)
      signal.throwIfAborted()
      newest = events.at(-1)?.id ?? newest
      return { events: events.toReversed(), hasNewer: isFullPage(events) }
    },

    setNewest: ({ id }) => {
      newest = id
      oldest ??= id
    },
    newestId: () => newest,
    // Leave out the delivery filter, because the status of an event may no longer match it.
    reread: async (_, before) => {
      const { delivered: __, delivery: ___, ...rest } = asked
      const query = { ...rest, order: 'asc' as const, after: before?.id }
      return (await api.listEvents({ query })).toReversed()
    },
    total: () => undefined,
  }
}
