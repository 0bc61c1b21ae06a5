import { retryWhileBusy } from '../work/concurrency.ts'
import type { Sink } from '../work/sink.ts'

export interface ExportProgress {
  readonly rows: number
  readonly back?: string | undefined
  readonly waitSeconds?: number | undefined
}

interface ExportPage {
  readonly text: string
  readonly rows: number
  readonly back: string | undefined
  /** Position of the next page; undefined for the last page. */
  readonly next?: string | undefined
}

/**
 * Returns a function that exports a log to a file, newest first, page by page. It throws the error of a failed page,
 * or an abort error. Called again, it continues after the last page in the file.
 *
 * @param head First lines of the file; "" for none.
 * @param readPage Reads the page at a position (undefined for the first page). `rows` is the number of rows already in
 * the file.
 */
export function createExportRun(
  sink: Sink,
  head: string,
  readPage: (
    from: { readonly place: string | undefined; readonly rows: number },
    signal: AbortSignal,
  ) => Promise<ExportPage>,
) {
  let progress: ExportProgress = { rows: 0 }
  let place: string | undefined
  let hasBegun = false
  let isComplete = false

  const writePages = async (signal: AbortSignal, onProgress: (progress: ExportProgress) => void) => {
    while (!isComplete) {
      signal.throwIfAborted()
      const { text, rows, back, next } = await readPage({ place, rows: progress.rows }, signal)
      await sink.write(text)
      progress = { rows: progress.rows + rows, back: back ?? progress.back }
      place = next
      isComplete = next === undefined
      onProgress(progress)
    }
  }
  return async (signal: AbortSignal, onProgress: (progress: ExportProgress) => void): Promise<void> => {
    if (!hasBegun && head !== '') await sink.write(head)
    hasBegun = true
    await retryWhileBusy(() => writePages(signal, onProgress), {
      signal,
      place: () => progress.rows,
      onWait: (waitSeconds) => onProgress({ ...progress, waitSeconds }),
    })
    await sink.close()
  }
}
