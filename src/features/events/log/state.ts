import type { Event } from '#contract/index.ts'

export type Progress = 'idle' | 'loading' | Error

export interface LogState {
  /** Progress of the first page; `idle` once it has loaded. */
  readonly start: Progress
  /** All that are loaded, newest first. */
  readonly events: readonly Event[]
  /** Loaded events that match the filter. */
  readonly rows: readonly Event[]
  readonly hasOlder: boolean
  /** Newer events exist that are not loaded: the list was opened at a moment, or left alone for long. */
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

/** State before anything is read. */
export const initialState: LogState = {
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
