import type { Event } from '#contract/index.ts'

export type Progress = 'idle' | 'loading' | Error

export interface LogState {
  /** Progress of the first page; `idle` once it has loaded. */
  readonly start: Progress
  /** All loaded events, newest first. */
  readonly events: readonly Event[]
  /** Loaded events that match the filter. */
  readonly rows: readonly Event[]
  readonly hasOlder: boolean
  /** Whether newer events are not loaded, because the list was opened at a moment, left alone or paused for long. */
  readonly hasNewer: boolean
  readonly older: Progress
  readonly newer: Progress
  /** Number of rows added at the top since the list was opened. */
  readonly arrived: number
  readonly isPaused: boolean
  /** Number of matching events held back while paused. */
  readonly waiting: number
  /** Status of the live tail for new events. */
  readonly tail: 'off' | 'live' | 'failing'
  /** Index of the row to start at, if the list was opened at a moment. */
  readonly startIndex: number
}

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
