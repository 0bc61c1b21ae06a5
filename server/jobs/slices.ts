import { setImmediate } from 'node:timers/promises'

/** Rows that are worked on before requests get their turn: a few milliseconds. */
const rowsAtOnce = 25

/** Maps rows without holding up the requests of the process. */
export async function mapInSlices<Row, Result>(
  rows: readonly Row[],
  work: (row: Row) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, row] of rows.entries()) {
    if (index % rowsAtOnce === 0) await setImmediate()
    results.push(work(row))
  }
  return results
}
