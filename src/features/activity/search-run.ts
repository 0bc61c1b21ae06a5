import { ApiError } from '../../api/index.ts'
import { type LogSearch, searchLog, type SearchPlace } from '../../domain/work/log-search.ts'

export interface SearchState {
  readonly search: LogSearch
  readonly status: 'searching' | 'stopped' | ApiError
}

/** One search of the log, that can be stopped and goes on where it was, also after a failure. */
export class SearchRun {
  readonly #place: (signal: AbortSignal) => SearchPlace
  /** Events in the log. */
  readonly #count: number
  readonly #listeners = new Set<() => void>()
  #state: SearchState
  #goal = 0
  #running: AbortController | undefined

  constructor(place: (signal: AbortSignal) => SearchPlace, count: number, known: LogSearch) {
    this.#place = place
    this.#count = count
    this.#state = { search: known, status: 'stopped' }
  }

  readonly state = () => this.#state

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Until so many of the newest events are searched; as far as last time where it is not said. */
  readonly run = (goal = this.#goal) => {
    this.#goal = goal
    this.#running?.abort()
    const abort = new AbortController()
    this.#running = abort
    this.#set({ status: 'searching' })
    this.#work(abort.signal).then(
      () => this.#set({ status: 'stopped' }),
      (error: unknown) => {
        if (abort.signal.aborted) return
        if (!(error instanceof ApiError)) throw error
        this.#set({ status: error })
      },
    )
  }

  readonly stop = () => {
    this.#running?.abort()
    this.#set({ status: 'stopped' })
  }

  async #work(signal: AbortSignal): Promise<void> {
    const isFar = ({ from, to }: LogSearch) => to === this.#count && to - from >= this.#goal
    if (isFar(this.#state.search)) return
    for await (const search of searchLog(this.#place(signal), this.#state.search, this.#count)) {
      signal.throwIfAborted()
      this.#set({ search })
      if (isFar(search)) return
    }
  }

  #set(change: Partial<SearchState>) {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}
