import type { Event } from '#contract/index.ts'
import type { LogSource } from './sources.ts'
import { type ReadStream, watchLog } from './live-tail.ts'
import { initialState, type LogState } from './state.ts'

/** Number of events that a list holds; it stays fast, and links to a list of older ones. */
export const mostEvents = 100_000
/** Number of newest events that are searched automatically. */
const searchedAtFirst = 2000
const foundAtOnce = 100
/** Number of events held back while paused; with more, the list restarts. */
const mostWaiting = 5000
/** Number of missed pages beyond which the list restarts with the newest events instead of loading all of them. */
const mostPagesBehind = 20

export interface LogOptions {
  /** The log is that of a full service, which filters, counts and enriches events. */
  readonly isFull: boolean
  readonly source: LogSource
  /** Which of the loaded events are shown; absent: the source answers no others. */
  readonly matches?: ((event: Event) => boolean) | undefined
  /** A moment to open at; absent: the newest. */
  readonly timeMs?: number | undefined
  /** Calls back with each new event; absent: the log is asked every few seconds. */
  readonly stream?: ReadStream | undefined
}

let logs = 0

/** Events of a list: a stretch of the log that grows at both ends, and the matching part of it. */
export class EventLog {
  /** Tells one log from another. */
  readonly key = (logs += 1)
  readonly #options: LogOptions
  readonly #listeners = new Set<() => void>()
  #state = initialState
  /** Newest first. */
  #heldBack: readonly Event[] = []
  #opening: AbortController | undefined
  #searching: AbortController | undefined
  #unwatch: (() => void) | undefined
  #isRereading = false
  /** How far the list was scrolled when it was left. */
  leftAt: number | undefined

  constructor(options: LogOptions) {
    this.#options = options
  }

  readonly state = () => this.#state
  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  /** Tells whether only loaded events are searched, because the service does not filter. */
  get isSearch(): boolean {
    return this.#options.matches !== undefined
  }
  get isFull(): boolean {
    return this.#options.isFull
  }
  readonly total = () => this.#options.source.total()
  /** Tells whether the list, opened at no particular moment, has fallen behind the end of the log. */
  readonly isLeftBehind = () => this.#options.timeMs === undefined && this.#state.hasNewer

  /** Reads the first events, replacing loaded ones. */
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
   * Reads a page of older events; in a search, pages until enough more events match or enough are searched. A second call
   * during a running one does nothing.
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

  /** Reads newer events that a list opened at a moment has not loaded. */
  readonly readNewer = async (): Promise<void> => {
    if (this.#state.newer === 'loading' || !this.#state.hasNewer) return
    const signal = this.#opening?.signal ?? new AbortController().signal
    await this.#load('newer', signal, async () => {
      const { events, hasNewer } = await this.#options.source.readNewer(signal)
      this.#prepend(events)
      return { hasNewer }
    })
  }

  /** Follows new events; returns a function that stops it. */
  readonly watch = (): (() => void) => {
    this.#unwatch?.()
    const unwatch = watchLog({
      stream: this.#options.stream,
      catchUp: (signal) => this.#catchUp(signal),
      newestId: this.#options.source.newestId,
      onEvents: (oldestFirst) => {
        const newest = oldestFirst.at(-1)
        if (newest) this.#options.source.setNewest(newest)
        this.#receive(oldestFirst.toReversed())
      },
      onState: (tail) => this.#set({ tail }),
    })
    this.#unwatch = unwatch
    return unwatch
  }

  readonly pause = () => this.#set({ isPaused: true })

  /** Shows the events that were held back. */
  readonly resume = () => {
    const events = this.#heldBack
    this.#heldBack = []
    this.#set({ isPaused: false, waiting: 0 })
    this.#prepend(events)
  }

  /** Reads the events on screen again if their delivery status may have changed. */
  readonly reread = async (first: number, last: number): Promise<void> => {
    const { rows, events, hasOlder } = this.#state
    if (this.#isRereading || this.#state.start !== 'idle') return
    const lowest = rows.slice(first, last + 1).findLast(mayChange)
    // The request needs the next older event as its anchor, which the oldest loaded one has only at the end of the log.
    const index = Math.min(lowest ? events.lastIndexOf(lowest) : -1, events.length - (hasOlder ? 2 : 1))
    if (index < 0) return
    this.#isRereading = true
    try {
      const fromOldest = events.length - 1 - index
      const reread = await this.#options.source.reread(
        fromOldest,
        events[index + 1],
        new AbortController().signal,
      )
      this.#replace(reread)
    } catch {
      // The events keep their last status until the next attempt.
    } finally {
      this.#isRereading = false
    }
  }

  /** Takes over an event that was read elsewhere; even an event without a webhook may have been sent by hand. */
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

/** Tells whether the delivery status may change by itself; delivered events, and those for no webhook, keep theirs. */
function mayChange({ delivered, delivery }: Event): boolean {
  return delivery ? delivery.state === 'waiting' || delivery.state === 'failed' : delivered === false
}

/** Tells whether the delivery status has changed. */
function hasDeliveryChanged(now: Event, before: Event): boolean {
  return (
    now.delivered !== before.delivered ||
    now.delivery?.state !== before.delivery?.state ||
    now.delivery?.next !== before.delivery?.next ||
    now.delivery?.attempts !== before.delivery?.attempts
  )
}
