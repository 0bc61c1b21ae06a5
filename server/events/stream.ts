import { Readable } from 'node:stream'

import { type eventStream, type Query, formatCount } from '#contract/index.ts'
import type { Caller } from '../http/auth/caller.ts'
import { Refusal, unavailable } from '../http/errors/problem.ts'
import type { Database } from '../sealing/database.ts'
import { eventFilter } from './filter.ts'
import { type EventFilter, matchingEvents } from './matching-storage.ts'
import { entitiesIn } from './named-entities.ts'
import { toStreamedEvent } from './reasons.ts'
import { eventsAfter, lastPosition, type LoggedEvent, numberEvents } from './storage.ts'

/** Interval of polling for new events, which all listeners share. */
const streamPollMs = 500
/** Number of events per read. */
const batch = 500
/** Number of recent events buffered for all listeners; a listener that is further behind reads the log. */
const keptEvents = 1000
/** Interval of comment lines, which keep proxies from closing an idle connection. */
const heartbeatMs = 15_000
/** Maximum delay of a timer; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1

const comment = ':\n\n'
const frame = ({ caller }: StreamListener, id: string, json: string) =>
  `id: ${id}\ndata: ${toStreamedEvent(caller, json)}\n\n`

/** Limits for open streams, in total and per subject: each browser tab needs one. */
const maxStreams = 1000
const maxStreamsOfSubject = 20

interface StreamListener {
  readonly caller: Caller
  ended: boolean
  /** Ends the listener's wait, if it is waiting. */
  wake: () => void
}

/** Streams the growing log to all listeners. Each reads at its own pace; one read of the log serves all who keep up. */
export class EventStreams {
  readonly #database: Database
  readonly #listeners = new Set<StreamListener>()
  /** Buffer of the newest events; the last one is at `#head`. */
  #kept: LoggedEvent[] = []
  /** Position of the newest known event. */
  #head = -1
  #ready: Promise<void> | undefined
  #polling: Promise<void> | undefined
  #pause: { end: () => void } | undefined
  #closed = false

  constructor(database: Database) {
    this.#database = database
  }

  async open({
    query,
    lastEventId,
    caller,
  }: {
    query: Query<typeof eventStream>
    lastEventId: string | undefined
    caller: Caller
  }): Promise<Readable> {
    if (this.#closed) throw stopping()
    this.#refuseTooMany(caller.subject)
    const listener: StreamListener = { caller, ended: false, wake: () => {} }
    // Added before the first await, so that all of many simultaneous requests are counted.
    this.#listeners.add(listener)
    let filter: EventFilter
    try {
      filter = await this.#filterOf({ ...query, after: lastEventId ?? query.after })
      await (this.#ready ??= this.#start())
    } catch (error) {
      this.#end(listener)
      throw error
    }
    if (listener.ended) throw stopping()
    const news = this.#follow(listener, filter, filter.after ?? this.#head)
    const end = () => this.#end(listener)
    const expiry = setTimeout(end, Math.min(longestTimerMs, caller.expires - Date.now()))
    // Not `Readable.from`, which would close only after the pending wait.
    return new Readable({
      read() {
        news.next().then(
          ({ value }) => this.push(value ?? null),
          (error: Error) => this.destroy(error),
        )
      },
      destroy(error, done) {
        clearTimeout(expiry)
        end()
        done(error)
      },
    })
  }

  #refuseTooMany(subject: string): void {
    let own = 0
    for (const listener of this.#listeners) if (listener.caller.subject === subject) own++
    if (own >= maxStreamsOfSubject)
      throw tooMany(`You have ${own} event streams open, which is the limit. Close one.`)
    if (this.#listeners.size >= maxStreams)
      throw tooMany(`${formatCount(maxStreams)} event streams are open, which is the limit.`)
  }

  async #filterOf(query: Query<typeof eventStream>): Promise<EventFilter> {
    if (query.after !== undefined) await numberEvents(this.#database.sql)
    // A filter that no event can match is not an error: the stream just stays silent.
    return (await eventFilter(this.#database, query)) ?? { order: 'asc', types: [], withDelivery: false }
  }

  /** Ends all streams; new requests are told to retry. */
  async close(): Promise<void> {
    this.#closed = true
    for (const listener of this.#listeners) this.#end(listener)
    this.#pause?.end()
    await this.#ready?.catch(() => {})
    await this.#polling
  }

  #end(listener: StreamListener): void {
    listener.ended = true
    this.#listeners.delete(listener)
    listener.wake()
    // Without listeners, polling stops; the next listener starts by reading the log's end.
    if (this.#listeners.size === 0) this.#pause?.end()
  }

  async #start(): Promise<void> {
    try {
      await numberEvents(this.#database.sql)
      this.#head = await lastPosition(this.#database.sql)
      this.#kept = []
      this.#polling = this.#poll()
    } catch (error) {
      this.#ready = undefined
      throw error
    }
  }

  /**
   * Polls until the last listener leaves or the store fails. A failure ends all streams; their clients learn the cause
   * on reconnecting.
   */
  async #poll(): Promise<void> {
    const { sql } = this.#database
    try {
      while (this.#listeners.size > 0) {
        await numberEvents(sql)
        const found = await eventsAfter(sql, this.#head, batch)
        this.#kept = [...this.#kept, ...found].slice(-keptEvents)
        this.#head = found.at(-1)?.seq ?? this.#head
        if (found.length > 0) for (const listener of this.#listeners) listener.wake()
        if (found.length < batch && this.#listeners.size > 0) await this.#waitForPoll()
      }
    } catch {
      for (const listener of this.#listeners) this.#end(listener)
    } finally {
      this.#ready = undefined
    }
  }

  async #waitForPoll(): Promise<void> {
    const { promise, resolve: end } = Promise.withResolvers<void>()
    const timer = setTimeout(end, streamPollMs)
    this.#pause = { end }
    await promise
    clearTimeout(timer)
  }

  /** Generates frames only as fast as the client reads, so nothing accumulates for a slow one. */
  async *#follow(
    listener: StreamListener,
    filter: EventFilter,
    from: number,
  ): AsyncGenerator<string, undefined> {
    let position = from
    // The first bytes also send the headers, which tell the client that the stream has begun.
    yield comment
    while (!listener.ended) {
      if (position >= this.#head) {
        const isNews = await waitFor(listener)
        if (!isNews) yield comment
        continue
      }
      const first = this.#head - this.#kept.length + 1
      if (position + 1 >= first) {
        const news = this.#kept.slice(position + 1 - first).filter((event) => matches(filter, event))
        position = this.#head
        if (news.length > 0)
          yield news
            .map((event) =>
              frame(listener, event.id, filter.withDelivery ? event.jsonWithDelivery : event.json),
            )
            .join('')
        continue
      }
      const until = this.#head
      const page = await matchingEvents(this.#database.sql, { ...filter, after: position })
      // The page may already contain events that the shared buffer does not have yet.
      position = page.at(-1)?.seq ?? until
      if (page.length > 0) yield page.map(({ id, json }) => frame(listener, id, json)).join('')
    }
    return undefined
  }
}

const tooMany = (detail: string) =>
  new Refusal('too_many_streams', detail, { headers: { 'retry-after': '30' } })

const stopping = () => unavailable('The service is stopping. Try again.')

/** Whether the listener was woken, by news or by its end, before the next heartbeat. */
async function waitFor(listener: StreamListener): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, heartbeatMs, false)
  listener.wake = () => resolve(true)
  const isNews = await promise
  clearTimeout(timer)
  return isNews
}

function matches(
  { types, user, entity, actor, job, isFolded = false, states, from, to }: EventFilter,
  event: LoggedEvent,
): boolean {
  return (
    (types === undefined || types.includes(event.type)) &&
    (user === undefined || event.user === user) &&
    (entity === undefined || event.entity === entity || entitiesIn(event.entities).has(entity)) &&
    (actor === undefined || event.actor === actor) &&
    (job === undefined || event.job === job) &&
    (!isFolded || event.isAct) &&
    (states === undefined || states.includes(event.state)) &&
    (from === undefined || event.time >= from) &&
    (to === undefined || event.time < to)
  )
}
