import type { User } from '#contract/index.ts'
import { ApiError } from '../../api/index.ts'
import { matcher } from './match.ts'
import { userPages } from '../../domain/user-list/user-pages.ts'

/** How far the pages of a segment have been gone through in search of a text. */
export interface ScanState {
  /** `full`: stopped, since more than `maxMatches` were found. */
  readonly status: 'running' | 'stopped' | 'failed' | 'full' | 'done'
  readonly searched: number
  /** Of how many; absent where the service does not say. */
  readonly total: number | undefined
  readonly matches: readonly User[]
  /** Offset of the page to go on with. */
  readonly from: string
  /** With `failed`. */
  readonly error?: unknown
}

/** As many as are kept: whoever finds more of them types more. */
export const maxMatches = 500

export const notBegun: ScanState = {
  status: 'running',
  searched: 0,
  total: undefined,
  matches: [],
  from: '',
}

export interface ScanOptions {
  readonly segment: string
  readonly q: string
  readonly signal: AbortSignal
  readonly onProgress: (state: ScanState) => void
}

/** Goes through the pages from where `start` stands; after a failed page it can be begun again from there. */
export async function scan(start: ScanState, options: ScanOptions): Promise<void> {
  const { segment, q, signal, onProgress } = options
  const isMatch = matcher(q)
  let state = start
  try {
    for await (const { users, total, next } of userPages({ segment, from: start.from, signal })) {
      const matches = [...state.matches, ...users.filter(isMatch)]
      const isFull = matches.length > maxMatches
      state = {
        status: isFull ? 'full' : next === undefined ? 'done' : 'running',
        searched: state.searched + users.length,
        total: total ?? state.total,
        matches: isFull ? matches.slice(0, maxMatches) : matches,
        from: next ?? '',
      }
      onProgress(state)
      if (state.status !== 'running' || signal.aborted) return
    }
  } catch (error) {
    if (signal.aborted) return
    onProgress({ ...state, status: 'failed', error })
    if (!(error instanceof ApiError)) throw error
  }
}
