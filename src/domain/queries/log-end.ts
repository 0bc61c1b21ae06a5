import { eventsPerPage } from '#contract/index.ts'

/**
 * End of a log whose API only reads forward from an offset and returns no total. The log is append-only, so a row keeps
 * its position.
 */
export interface End {
  /** Number of rows when the end was found; more may have been added since. */
  readonly count: number
  /** Id of the last counted row: another id there means another log. Undefined if the log was empty. */
  readonly lastId: string | undefined
}

export interface LogRow {
  readonly id: string
}

/** Reads rows from an offset on, oldest first: `eventsPerPage` of them, or fewer only at the end of the log. */
export type ReadPage = (offset: number) => Promise<readonly LogRow[]>

/**
 * Finds the end of the log, starting from the last known end if it is still valid. Takes one request if at most
 * `eventsPerPage - 2` rows were added, and about 2 · log2(rows / eventsPerPage) requests if nothing is known.
 */
export async function findEnd(page: ReadPage, known?: End): Promise<End> {
  if (known?.lastId === undefined) return searchEnd(page, 0)
  // Reading from the last known row shows both whether that row still exists and what follows it.
  const from = known.count - 1
  const rows = await page(from)
  if (rows[0]?.id !== known.lastId) return searchEnd(page, 0)
  return rows.length < eventsPerPage ? endAfter(from, rows) : searchEnd(page, from, rows)
}

/** Searches for the end: doubles the distance from `start` until a page is not full, then bisects. */
async function searchEnd(page: ReadPage, start: number, first?: readonly LogRow[]): Promise<End> {
  const read = (pages: number) => page(start + pages * eventsPerPage)
  /** Last page known to be full, at distance `low`. `high`: distance of the next page, or of one known to be empty. */
  let full = first ?? (await read(0))
  if (full.length < eventsPerPage) return endAfter(start, full)
  let low = 0
  let high = 1
  for (;;) {
    const rows = await read(high)
    if (rows.length === 0) break
    if (rows.length < eventsPerPage) return endAfter(start + high * eventsPerPage, rows)
    full = rows
    low = high
    high *= 2
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const rows = await read(middle)
    if (rows.length === 0) high = middle
    else if (rows.length < eventsPerPage) return endAfter(start + middle * eventsPerPage, rows)
    else {
      full = rows
      low = middle
    }
  }
  return endAfter(start + low * eventsPerPage, full)
}

function endAfter(offset: number, rows: readonly LogRow[]): End {
  return { count: offset + rows.length, lastId: rows.at(-1)?.id }
}
