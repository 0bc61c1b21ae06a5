import type { Event } from '#contract/index.ts'

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

/** Before anything is read. */
export const unread: LogState = {
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
