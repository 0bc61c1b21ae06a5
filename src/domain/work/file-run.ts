import { retryWhileBusy } from './concurrency.ts'
import type { Sink } from './sink.ts'

export interface FileProgress {
  readonly rows: number
  /** Time of the last row in the file. */
  readonly back?: string | undefined
  readonly waitSeconds?: number | undefined
}

/** Part of a list that is written to the file at once. */
interface Page {
  readonly text: string
  readonly rows: number
  readonly back: string | undefined
  /** Place of the next page; absent: this is the last one. */
  readonly next?: string | undefined
}

/**
 * Writes a list into a file, newest first, page by page. What it answers throws what a page failed with, or that it was aborted;
 * run again, it goes on behind the last page that is in the file.
 *
 * @param head Stands above all of them; "" is none.
 * @param read A page, from a place on (absent: the first), of which so many rows are in the file.
 */
export function fileRun(
  sink: Sink,
  head: string,
  read: (
    from: { readonly place: string | undefined; readonly rows: number },
    signal: AbortSignal,
  ) => Promise<Page>,
) {
  let progress: FileProgress = { rows: 0 }
  let place: string | undefined
  let hasBegun = false
  let isComplete = false

  const pages = async (signal: AbortSignal, onProgress: (progress: FileProgress) => void) => {
    while (!isComplete) {
      signal.throwIfAborted()
      const { text, rows, back, next } = await read({ place, rows: progress.rows }, signal)
      await sink.write(text)
      progress = { rows: progress.rows + rows, back: back ?? progress.back }
      place = next
      isComplete = next === undefined
      onProgress(progress)
    }
  }
  return async (signal: AbortSignal, onProgress: (progress: FileProgress) => void): Promise<void> => {
    if (!hasBegun && head !== '') await sink.write(head)
    hasBegun = true
    await retryWhileBusy(() => pages(signal, onProgress), {
      signal,
      place: () => progress.rows,
      onWait: (waitSeconds) => onProgress({ ...progress, waitSeconds }),
    })
    await sink.close()
  }
}
