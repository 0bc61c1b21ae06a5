import type { Event } from '#contract/index.ts'
import type { LogSource } from './sources.ts'
import { type ReadStream, watchLog } from './live-tail.ts'

/** More than this are not held: the list stays fast, and says where to go on. */
export const mostEvents = 100_000
/** Of the newest events, so many are searched unasked. */
const searchedUnasked = 2000
const foundAtOnce = 100
/** Held back while it is paused; with more the list begins anew. */
const mostWaiting = 5000
/** So far behind, the newest are shown and not all that lie between. */
const mostPagesBehind = 20

export type Progress = 'idle' | 'loading' | Error

export interface LogState {
  /** Of the first events; `idle`: they are there. */
  readonly start: Progress
  /** All that are loaded, newest first. */
  readonly events: readonly Event[]
  /** Those of them that match. */
  readonly rows: readonly Event[]
  readonly hasOlder: boolean
  /** There are newer ones that are not loaded: the list was opened at a moment, or left alone for long. */
  readonly hasNewer: boolean
  readonly older: Progress
  readonly newer: Progress
  /** Rows that came in above the others since the list was opened. */
  readonly arrived: number
  readonly isPaused: boolean
  /** Matching, and held back while it is paused. */
  readonly waiting: number
  /** How new events come in. */
  readonly tail: 'off' | 'live' | 'failing'
  /** The row to begin at, where the list was opened at a moment. */
  readonly startIndex: number
}

export interface LogOptions {
  readonly source: LogSource
  /** Which of the loaded events are shown; absent: the source answers no others. */
  readonly matches?: ((event: Event) => boolean) | undefined
  /** A moment to open at; absent: the newest. */
  readonly timeMs?: number | undefined
  /** Calls back with each new event; absent: the log is asked every few seconds. */
  readonly stream?: ReadStream | undefined
}

let logs = 0

/** The events that a list shows: a stretch of the log that is read on at both ends, and what of it matches. */
export class EventLog {
  /** Tells one log from another. */
  readonly key = (logs += 1)
  readonly #source: LogSource
  readonly #matches: ((event: Event) => boolean) | undefined
  readonly #timeMs: number | undefined
  readonly #stream: LogOptions['stream']
  readonly #listeners = new Set<() => void>()
  #state: LogState = {
    start: 'loading',
    events: [],
    rows: [],
    hasOlder: false,
    hasNewer: false,
    older: 'idle',
    newer: 'idle',
    arrived: 0,
    isPaused: false,
    waiting: 0,
    tail: 'off',
    startIndex: 0,
  }
  /** Newest first. */
  #heldBack: readonly Event[] = []
  #opening: AbortController | undefined
  #searching: AbortController | undefined
  #unwatch: (() => void) | undefined
  #rereading = false
  /** How far the list was scrolled when it was left. */
  leftAt: number | undefined

  constructor({ source, matches, timeMs, stream }: LogOptions) {
    this.#source = source
    this.#matches = matches
    this.#timeMs = timeMs
    this.#stream = stream
  }

  readonly state = () => this.#state
  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  /** Only what is loaded is looked through: the service does not filter. */
  get isSearch(): boolean {
    return this.#matches !== undefined
  }
  readonly total = () => this.#source.total()
  /** Not opened at a moment, and still not at the end. */
  readonly isLeftBehind = () => this.#timeMs === undefined && this.#state.hasNewer

  /** Reads the first events, anew where there are some. */
  readonly open = async (at: 'asked' | 'newest' = 'asked'): Promise<void> => {
    this.#unwatch?.()
    this.#searching?.abort()
    this.#opening?.abort()
    this.#opening = new AbortController()
    const { signal } = this.#opening
    this.#heldBack = []
    this.#set({ start: 'loading', older: 'idle', newer: 'idle', isPaused: false, waiting: 0 })
    try {
      const timeMs = at === 'asked' ? this.#timeMs : undefined
      const stretch =
        timeMs === undefined
          ? { ...(await this.#source.newest(signal)), index: 0 }
          : await this.#source.around(timeMs, signal)
      const { events, hasOlder, hasNewer, index } = stretch
      const rows = this.#matching(events)
      const startIndex = this.#matches ? this.#matching(events.slice(0, index)).length : index
      this.#set({ start: 'idle', events, rows, hasOlder, hasNewer, startIndex, arrived: 0 })
      if (this.#matches) void this.readOlder(foundAtOnce, searchedUnasked)
    } catch (error) {
      if (!signal.aborted) this.#set({ start: failure(error) })
    }
  }

  /**
   * Reads older ones: a page; where they are searched, until so many more match, or so many are searched. Another call
   * while it runs does nothing.
   */
  readonly readOlder = async (wanted = foundAtOnce, within = mostEvents): Promise<void> => {
    if (this.#state.older === 'loading') return
    const abort = new AbortController()
    this.#searching = abort
    const goal = this.#state.rows.length + wanted
    this.#set({ older: 'loading' })
    try {
      while (this.#state.hasOlder && this.#state.events.length < within) {
        const { events, hasOlder } = await this.#source.older(abort.signal)
        abort.signal.throwIfAborted()
        this.#set({
          events: [...this.#state.events, ...events],
          rows: [...this.#state.rows, ...this.#matching(events)],
          hasOlder,
        })
        if (!this.#matches || this.#state.rows.length >= goal) break
      }
      this.#set({ older: 'idle' })
    } catch (error) {
      if (!abort.signal.aborted) this.#set({ older: failure(error) })
    }
  }

  readonly stopSearch = () => {
    this.#searching?.abort()
    if (this.#state.older === 'loading') this.#set({ older: 'idle' })
  }

  /** Reads newer ones, where the list was opened at a moment and they are not loaded. */
  readonly readNewer = async (): Promise<void> => {
    if (this.#state.newer === 'loading' || !this.#state.hasNewer) return
    const signal = this.#opening?.signal ?? new AbortController().signal
    this.#set({ newer: 'loading' })
    try {
      const { events, hasNewer } = await this.#source.newer(signal)
      this.#set({ newer: 'idle', hasNewer })
      this.#arrive(events)
    } catch (error) {
      if (!signal.aborted) this.#set({ newer: failure(error) })
    }
  }

  /** New events come in for as long as it is watched; answers how to stop. */
  readonly watch = (): (() => void) => {
    this.#unwatch?.()
    const unwatch = watchLog({
      stream: this.#stream,
      catchUp: (signal) => this.#catchUp(signal),
      newestId: this.#source.newestId,
      onEvents: (oldestFirst) => {
        const newest = oldestFirst.at(-1)
        if (newest) this.#source.arrived(newest)
        this.#take(oldestFirst.toReversed())
      },
      onState: (tail) => this.#set({ tail }),
    })
    this.#unwatch = unwatch
    return unwatch
  }

  readonly pause = () => this.#set({ isPaused: true })

  /** Shows what was held back. */
  readonly resume = () => {
    const events = this.#heldBack
    this.#heldBack = []
    this.#set({ isPaused: false, waiting: 0 })
    this.#arrive(events)
  }

  /** Whether those on screen have been delivered meanwhile: they are read again where one was not. */
  readonly reread = async (first: number, last: number): Promise<void> => {
    const { rows, events, hasOlder } = this.#state
    if (this.#rereading || this.#state.start !== 'idle') return
    const lowest = rows.slice(first, last + 1).findLast(({ delivered }) => delivered === false)
    // What the oldest stands behind is not known while there are older ones.
    const index = Math.min(lowest ? events.lastIndexOf(lowest) : -1, events.length - (hasOlder ? 2 : 1))
    if (index < 0) return
    this.#rereading = true
    try {
      const fromOldest = events.length - 1 - index
      const again = await this.#source.again(fromOldest, events[index + 1], new AbortController().signal)
      const known = new Map(again.map((event) => [event.id as string, event]))
      const fresh = (event: Event) => {
        const now = known.get(event.id)
        return now && now.delivered !== event.delivered ? now : event
      }
      if (again.some((event) => event.delivered === true))
        this.#set({ events: this.#state.events.map(fresh), rows: this.#state.rows.map(fresh) })
    } catch {
      // They stay as they were read; the next look tries again.
    } finally {
      this.#rereading = false
    }
  }

  async #catchUp(signal: AbortSignal): Promise<boolean> {
    for (let page = 0; page < mostPagesBehind; page += 1) {
      const { events, hasNewer } = await this.#source.newer(signal)
      signal.throwIfAborted()
      this.#take(events)
      if (!hasNewer) return true
    }
    this.#set({ hasNewer: true })
    return false
  }

  #take(events: readonly Event[]) {
    if (events.length === 0) return
    if (!this.#state.isPaused) return this.#arrive(events)
    this.#heldBack = [...events, ...this.#heldBack]
    const isTooMuch = this.#heldBack.length > mostWaiting
    this.#set({ waiting: this.#matching(this.#heldBack).length, ...(isTooMuch && { hasNewer: true }) })
  }

  #arrive(events: readonly Event[]) {
    if (events.length === 0) return
    const rows = this.#matching(events)
    this.#set({
      events: [...events, ...this.#state.events],
      rows: [...rows, ...this.#state.rows],
      arrived: this.#state.arrived + rows.length,
    })
  }

  #matching(events: readonly Event[]): readonly Event[] {
    return this.#matches ? events.filter(this.#matches) : events
  }

  #set(change: Partial<LogState>) {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

function failure(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
