import type { QueryClient } from '@tanstack/react-query'

import { type Event, eventsPerPage } from '#contract/index.ts'
import { api } from '../../../api/index.ts'
import { type EventFilter, toEventQuery } from './filter.ts'
import { eventPageQuery, eventsEndQuery } from '../../../domain/queries/events.ts'
import { findTime } from './seek.ts'

/** A stretch of the log, newest first. */
export interface Stretch {
  readonly events: readonly Event[]
  readonly hasOlder: boolean
  readonly hasNewer: boolean
}

/**
 * A stretch of the log that grows at both ends. It knows where its ends are; whoever reads waits for one answer at an
 * end before asking again there. What failed or was given up has moved nothing.
 */
export interface LogSource {
  readonly newest: (signal: AbortSignal) => Promise<Stretch>
  /** Events on both sides of a moment; `index`: the newest that is before it. */
  readonly around: (timeMs: number, signal: AbortSignal) => Promise<Stretch & { readonly index: number }>
  /** Reads the next page of older events, newest first. */
  readonly older: (signal: AbortSignal) => Promise<Pick<Stretch, 'events' | 'hasOlder'>>
  /** Reads the events after the newest loaded one, newest first. */
  readonly newer: (signal: AbortSignal) => Promise<Pick<Stretch, 'events' | 'hasNewer'>>
  /** Takes what arrived by another way than `newer`. */
  readonly arrived: (newest: Event) => void
  /** The newest that is known: what a stream goes on after. */
  readonly newestId: () => string | undefined
  /** A page again, from so many rows before the oldest of the stretch on; newest first. */
  readonly again: (fromOldest: number, before: Event | undefined, signal: AbortSignal) => Promise<Event[]>
  /** Length of the log; undefined if it is not counted. */
  readonly total: () => number | undefined
}

/** Reads a log by position, from a service that only counts up from the oldest event. */
export function countedSource(client: QueryClient): LogSource {
  let from = 0
  let to = 0
  const read = (offset: number, signal: AbortSignal) =>
    api.listEvents({ query: { offset: String(offset) }, signal })
  const findEnd = async () => (await client.query({ ...eventsEndQuery(), staleTime: 0 })).count
  const grown = (rows: readonly Event[]) => {
    to += rows.length
    const lastId = rows.at(-1)?.id
    // A page that is not full ends with the log.
    if (lastId !== undefined && rows.length < eventsPerPage)
      client.setQueryData(eventsEndQuery().queryKey, { count: to, lastId })
    return { events: rows.toReversed(), hasNewer: rows.length === eventsPerPage }
  }

  return {
    async newest(signal) {
      const count = await findEnd()
      const start = Math.max(0, count - eventsPerPage)
      const rows = count === 0 ? [] : await read(start, signal)
      signal.throwIfAborted()
      from = start
      to = start + rows.length
      return { events: rows.toReversed(), hasOlder: from > 0, hasNewer: false }
    },

    async around(timeMs, signal) {
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

    async older(signal) {
      // From a multiple of 100 on, as pages are kept; what is beside the first of them is asked for ahead.
      const startOf = (position: number) =>
        Math.max(0, Math.floor((position - 1) / eventsPerPage) * eventsPerPage)
      const start = startOf(from)
      for (const ahead of [start - eventsPerPage, start - 2 * eventsPerPage])
        // A failure is met again, and shown, when its turn comes.
        if (ahead >= 0) void client.query(eventPageQuery(ahead, eventsPerPage)).catch(() => undefined)
      const page = await client.query(eventPageQuery(start, eventsPerPage))
      signal.throwIfAborted()
      const events = page.slice(0, from - start).toReversed()
      from = start
      return { events, hasOlder: from > 0 }
    },

    async newer(signal) {
      const rows = await read(to, signal)
      signal.throwIfAborted()
      return grown(rows)
    },

    arrived: () => undefined,
    newestId: () => undefined,
    again: async (fromOldest, _, signal) => (await read(from + fromOldest, signal)).toReversed(),
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
  const isWhole = (events: readonly Event[]) => events.length === eventsPerPage
  const fromNewest = async (signal: AbortSignal): Promise<Stretch> => {
    const events = await read({ order: 'desc' }, signal)
    signal.throwIfAborted()
    newest = events[0]?.id
    oldest = events.at(-1)?.id
    return { events, hasOlder: isWhole(events), hasNewer: false }
  }

  return {
    newest: fromNewest,

    async around(timeMs, signal) {
      // The first that is not before it: old events that were loaded late stand behind it and lead nowhere else.
      const fromMs = Math.max(timeMs, filter.from === undefined ? -Infinity : Date.parse(filter.from))
      const query = { ...asked, order: 'asc' as const, from: new Date(fromMs).toISOString() }
      const behind = await api.listEvents({ query, signal })
      if (!behind[0]) return { ...(await fromNewest(signal)), index: 0 }
      const before = await read({ order: 'desc', after: behind[0].id }, signal)
      // Between them stand only such as are older, in a log that is not in the order of time.
      const after = await read({ order: 'asc', after: behind[0].id }, signal)
      const events = [...after.toReversed(), behind[0], ...before]
      newest = events[0]?.id
      oldest = events.at(-1)?.id
      return { events, index: after.length + 1, hasOlder: isWhole(before), hasNewer: isWhole(after) }
    },

    async older(signal) {
      const events = await read({ order: 'desc', after: oldest }, signal)
      signal.throwIfAborted()
      oldest = events.at(-1)?.id ?? oldest
      return { events, hasOlder: isWhole(events) }
    },

    async newer(signal) {
      if (newest === undefined) {
        const { events } = await fromNewest(signal)
        return { events, hasNewer: false }
      }
      const events = await read({ order: 'asc', after: newest }, signal)
      signal.throwIfAborted()
      newest = events.at(-1)?.id ?? newest
      return { events: events.toReversed(), hasNewer: isWhole(events) }
    },

    arrived: ({ id }) => {
      newest = id
      oldest ??= id
    },
    newestId: () => newest,
    // Also those that have come to stand otherwise than the filter has it.
    again: async (_, before, signal) => {
      const { delivered: __, delivery: ___, ...rest } = asked
      const query = { ...rest, order: 'asc' as const, after: before?.id }
      return (await api.listEvents({ query, signal })).toReversed()
    },
    total: () => undefined,
  }
}
