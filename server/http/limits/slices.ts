import { setImmediate } from 'node:timers/promises'

/** Time for which rows are worked on before requests get their turn. */
const sliceMs = 1

/** Maps rows without holding up the requests of the process. */
export async function mapInSlices<Row, Result>(
  rows: readonly Row[],
  work: (row: Row) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  let endsAtMs = 0
  for (const row of rows) {
    if (performance.now() >= endsAtMs) {
      await setImmediate()
      endsAtMs = performance.now() + sliceMs
    }
    results.push(work(row))
  }
  return results
}
