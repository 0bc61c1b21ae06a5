import type { Event } from '#contract/index.ts'
import { wait } from '../../../api/wait.ts'
import type { EventFilter } from './filter.ts'
import type { LogSource } from './sources.ts'

const tailPollMs = 5000
/** Delay before the first retry after a failure; doubled after each further one. */
const tailRetryMs = 2000
const longestRetryMs = 60_000
/** Events that arrive within this time are shown together. */
const gatherMs = 150

/** Streams the events after a given one, oldest first. Resolves when the service ends the stream. */
type ReadStream = (after: string, onEvent: (event: Event) => void, signal: AbortSignal) => Promise<void>

/** Maximum number of events in a list, so that it stays fast; beyond that it links to a list of older events. */
export const mostEvents = 100_000
/** Number of newest events that are searched automatically. */
const searchedAtFirst = 2000
const foundAtOnce = 100
/** Maximum number of events held back while paused; beyond that the list stops following new events. */
const mostWaiting = 5000
/** Number of missed pages beyond which the list stops following new events instead of loading all missed ones. */
const mostPagesBehind = 20

type Progress = 'idle' | 'loading' | Error

const initialState = {
  /** Progress of the first page; `idle` once it has loaded. */
  start: 'loading' as Progress,
  events: [] as readonly Event[],
  /** Loaded events that match the filter. */
  rows: [] as readonly Event[],
  hasOlder: false,
  /** Whether newer events are not loaded, because the list was opened at a moment, left alone or paused for long. */
  hasNewer: false,
  older: 'idle' as Progress,
  newer: 'idle' as Progress,
  /** Number of rows added at the top since the list was opened. */
  arrived: 0,
  isPaused: false,
  /** Number of matching events held back while paused. */
  waiting: 0,
  tail: 'off' as 'off' | 'live' | 'failing',
  /** Index of the row to start at, if the list was opened at a moment. */
  startIndex: 0,
}
/** State of a log; its events are the newest first. */
export type LogState = Readonly<typeof initialState>

/** Log of the page, and the part of it that is shown. */
export interface LogView {
  readonly log: EventLog
  readonly state: LogState
  readonly filter: EventFilter
  /** Whether the service filters, counts and looks up, and knows more of a delivery than whether it was made. */
  readonly isFull: boolean
  /** Moment that the list was opened at. */
  readonly at: string | undefined
  /** Shows the log with another filter, from its newest event on or at a moment. */
  readonly show: (filter: EventFilter, at?: string) => void
}

interface LogOptions {
  readonly source: LogSource
  /** Predicate for the loaded events to show; undefined to show all, such as from a source that filters. */
  readonly matches?: ((event: Event) => boolean) | undefined
  /** Moment to open the list at; undefined for the newest events. */
  readonly timeMs?: number | undefined
  /** Stream of new events; undefined to poll every few seconds. */
  readonly stream?: ReadStream | undefined
}

let logs = 0

/** Events of a list: a contiguous part of the log that grows at both ends, and its matching events. */
export class EventLog {
  readonly key = (logs += 1)
  readonly #options: LogOptions
  readonly #listeners = new Set<() => void>()
  #state: LogState = initialState
  /** Events held back while paused, newest first. */
  #heldBack: readonly Event[] = []
  #opening: AbortController | undefined
  #searching: AbortController | undefined
  #unwatch: (() => void) | undefined
  #isRereading = false
  /** Scroll position of the list when it was left. */
  leftAt: number | undefined

  constructor(options: LogOptions) {
    this.#options = options
  }

  readonly state = () => this.#state
  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  /** Whether only loaded events are searched, because the service does not filter. */
  get isSearch(): boolean {
    return this.#options.matches !== undefined
  }
  readonly total = () => this.#options.source.total()
  /** Whether the list, if opened at no particular moment, has fallen behind the end of the log. */
  readonly isLeftBehind = () => this.#options.timeMs === undefined && this.#state.hasNewer

  readonly open = async (at: 'asked' | 'newest' = 'asked'): Promise<void> => {
    this.#unwatch?.()
    this.#searching?.abort()
    this.#opening?.abort()
    this.#opening = new AbortController()
    const { signal } = this.#opening
    this.#heldBack = []
    this.#set({ older: 'idle', newer: 'idle', isPaused: false, waiting: 0 })
    const { source, matches, timeMs } = this.#options
    await this.#load('start', signal, async () => {
      const { events, hasOlder, hasNewer, index } =
        timeMs === undefined || at === 'newest'
          ? { ...(await source.readNewest(signal)), index: 0 }
          : await source.readAround(timeMs, signal)
      const rows = this.#matching(events)
      const startIndex = matches ? this.#matching(events.slice(0, index)).length : index
      return { events, rows, hasOlder, hasNewer, startIndex, arrived: 0 }
    })
    if (matches && this.#state.start === 'idle') void this.readOlder(foundAtOnce, searchedAtFirst)
  }

  /**
   * Reads a page of older events. In a search, reads pages until enough events match or enough have been searched. A
   * call while another is running does nothing.
   */
  readonly readOlder = async (wanted = foundAtOnce, within = mostEvents): Promise<void> => {
    if (this.#state.older === 'loading') return
    const abort = new AbortController()
    this.#searching = abort
    const goal = this.#state.rows.length + wanted
    await this.#load('older', abort.signal, async () => {
      while (this.#state.hasOlder && this.#state.events.length < within) {
        const { events, hasOlder } = await this.#options.source.readOlder(abort.signal)
        abort.signal.throwIfAborted()
        this.#set({
          events: [...this.#state.events, ...events],
          rows: [...this.#state.rows, ...this.#matching(events)],
          hasOlder,
        })
        if (!this.#options.matches || this.#state.rows.length >= goal) break
      }
      return {}
    })
  }

  readonly stopSearch = () => {
    this.#searching?.abort()
    if (this.#state.older === 'loading') this.#set({ older: 'idle' })
  }

  /**
   * Reads newer events, in a list that does not reach the end of the log. Does nothing while the list is paused, because
   * they would be shown before the older events that are held back.
   */
  readonly readNewer = async (): Promise<void> => {
    const { newer, hasNewer, isPaused } = this.#state
    if (newer === 'loading' || !hasNewer || isPaused) return
    const signal = this.#opening?.signal ?? new AbortController().signal
    await this.#load('newer', signal, async () => {
      const { events, hasNewer } = await this.#options.source.readNewer(signal)
      this.#prepend(events)
      return { hasNewer }
    })
  }

  /** Follows new events. Returns a function that stops it. */
  readonly watch = (): (() => void) => {
    const leave = new AbortController()
    // Only an abort rejects; the loop retries every other failure.
    this.#followEnd(leave.signal).catch(() => undefined)
    this.#unwatch = () => {
      leave.abort()
      // In a hidden tab the status stays unchanged, because the log catches up once the tab is visible again.
      if (document.visibilityState === 'visible') this.#set({ tail: 'off' })
    }
    return this.#unwatch
  }

  readonly pause = () => this.#set({ isPaused: true })

  readonly resume = () => {
    const events = this.#heldBack
    this.#heldBack = []
    this.#set({ isPaused: false, waiting: 0 })
    this.#prepend(events)
  }

  /** Refetches the visible events whose delivery status may have changed. */
  readonly reread = async (first: number, last: number): Promise<void> => {
    const { rows, events, hasOlder } = this.#state
    if (this.#isRereading || this.#state.start !== 'idle') return
    const lowest = rows.slice(first, last + 1).findLast(mayChange)
    // The request needs the next older event as its cursor. The oldest loaded event has none; that is only correct at
    // the start of the log.
    const index = Math.min(lowest ? events.lastIndexOf(lowest) : -1, events.length - (hasOlder ? 2 : 1))
    if (index < 0) return
    this.#isRereading = true
    try {
      const fromOldest = events.length - 1 - index
      this.#replace(await this.#options.source.reread(fromOldest, events[index + 1]))
    } catch {
      // The events keep their last status until the next attempt.
    } finally {
      this.#isRereading = false
    }
  }

  /** Applies an event that was read elsewhere. Even an event without a webhook may have been sent manually. */
  readonly update = (event: Event) => this.#replace([event])

  #replace(events: readonly Event[]) {
    const known = new Map(events.map((event) => [event.id as string, event]))
    const fresh = (event: Event) => {
      const now = known.get(event.id)
      return now && hasDeliveryChanged(now, event) ? now : event
    }
    if (this.#state.rows.some((event) => fresh(event) !== event))
      this.#set({ events: this.#state.events.map(fresh), rows: this.#state.rows.map(fresh) })
  }

  async #followEnd(signal: AbortSignal): Promise<void> {
    let failures = 0
    while (!signal.aborted) {
      try {
        if (!(await this.#catchUp(signal))) return
        failures = 0
        this.#set({ tail: 'live' })
        const { stream, source } = this.#options
        const after = stream && source.newestId()
        if (stream && after !== undefined) await this.#followStream(stream, after, signal)
        // Pause here too, in case the stream ends at once.
        await wait(after === undefined ? tailPollMs : tailRetryMs / 2, signal)
      } catch {
        if (signal.aborted) return
        failures += 1
        // A single failure is retried before it is reported.
        if (failures > 1) this.#set({ tail: 'failing' })
        await wait(Math.min(longestRetryMs, tailRetryMs * 2 ** (failures - 1)), signal)
      }
    }
  }

  async #followStream(stream: ReadStream, after: string, signal: AbortSignal): Promise<void> {
    let gathered: Event[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const flush = () => {
      timer = undefined
      const newest = gathered.at(-1)
      if (newest) this.#options.source.setNewest(newest)
      this.#receive(gathered.toReversed())
      gathered = []
    }
    const gather = (event: Event) => {
      gathered.push(event)
      timer ??= setTimeout(flush, gatherMs)
    }
    try {
      await stream(after, gather, signal)
    } finally {
      clearTimeout(timer)
      // After an abort, the next catch-up reads the gathered events again.
      if (!signal.aborted) flush()
    }
  }

  /** Reads the events since the last one read; returns false if there are too many. */
  async #catchUp(signal: AbortSignal): Promise<boolean> {
    for (let page = 0; page < mostPagesBehind; page += 1) {
      const { events, hasNewer } = await this.#options.source.readNewer(signal)
      signal.throwIfAborted()
      this.#receive(events)
      if (!hasNewer) return true
    }
    this.#set({ hasNewer: true })
    return false
  }

  #receive(events: readonly Event[]) {
    if (events.length === 0) return
    if (!this.#state.isPaused) return this.#prepend(events)
    this.#heldBack = [...events, ...this.#heldBack]
    const isTooMuch = this.#heldBack.length > mostWaiting
    this.#set({ waiting: this.#matching(this.#heldBack).length, ...(isTooMuch && { hasNewer: true }) })
  }

  #prepend(events: readonly Event[]) {
    if (events.length === 0) return
    const rows = this.#matching(events)
    this.#set({
      events: [...events, ...this.#state.events],
      rows: [...rows, ...this.#state.rows],
      arrived: this.#state.arrived + rows.length,
    })
  }

  #matching(events: readonly Event[]): readonly Event[] {
    return this.#options.matches ? events.filter(this.#options.matches) : events
  }

  async #load(
    what: 'start' | 'older' | 'newer',
    signal: AbortSignal,
    read: () => Promise<Partial<LogState>>,
  ): Promise<void> {
    this.#set({ [what]: 'loading' })
    try {
      this.#set({ ...(await read()), [what]: 'idle' })
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error))
      if (!signal.aborted) this.#set({ [what]: failure })
    }
  }

  #set(change: Partial<LogState>) {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

/** Whether the delivery status may still change: not if the event is delivered, or known to have no webhook. */
function mayChange({ delivered, delivery }: Event): boolean {
  return delivery ? delivery.state === 'waiting' || delivery.state === 'failed' : delivered === false
}

function hasDeliveryChanged(now: Event, before: Event): boolean {
  return (
    now.delivered !== before.delivered ||
    now.delivery?.state !== before.delivery?.state ||
    now.delivery?.next !== before.delivery?.next ||
    now.delivery?.attempts !== before.delivery?.attempts
  )
}
