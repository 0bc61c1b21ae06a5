/**
 * The end of a log whose API only counts up and gives no total. A log grows at its end and nowhere else, so that a
 * row found at a position stays there.
 */
export interface End {
  /** Rows there were when it was found; more may have come since. */
  readonly count: number
  /** Id of the last counted row: another id at its position means another log. Absent: the log was empty. */
  readonly lastId: string | undefined
}

export interface LogRow {
  readonly id: string
}

/** Rows from an offset on, oldest first: `pageSize` of them, fewer only where the log ends. */
export type ReadPage = (offset: number) => Promise<readonly LogRow[]>

/** Page size of the contract, repeated here because it is needed before the contract's schemas are loaded. */
export const pageSize = 100

/**
 * Finds the end, from what was found before where that still holds. The same log, with less than a page more: one
 * request. Nothing known: about 2 · log2(rows / page) requests.
 */
export async function findEnd(page: ReadPage, known?: End): Promise<End> {
  if (known?.lastId === undefined) return searchEnd(page, 0)
  // From the last known row on: this one answer tells whether it is still there and what came after it.
  const from = known.count - 1
  const rows = await page(from)
  if (rows[0]?.id !== known.lastId) return searchEnd(page, 0)
  return rows.length < pageSize ? endAfter(from, rows) : searchEnd(page, from, rows)
}

/** By doubling the distance from `start` until a page is not full, then by halving what lies between. */
async function searchEnd(page: ReadPage, start: number, first?: readonly LogRow[]): Promise<End> {
  const read = (pages: number) => page(start + pages * pageSize)
  /** The last page seen full, and the distance of one seen empty. */
  let full = first ?? (await read(0))
  if (full.length < pageSize) return endAfter(start, full)
  let low = 0
  let high = 1
  for (;;) {
    const rows = await read(high)
    if (rows.length === 0) break
    if (rows.length < pageSize) return endAfter(start + high * pageSize, rows)
    full = rows
    low = high
    high *= 2
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const rows = await read(middle)
    if (rows.length === 0) high = middle
    else if (rows.length < pageSize) return endAfter(start + middle * pageSize, rows)
    else {
      full = rows
      low = middle
    }
  }
  return endAfter(start + low * pageSize, full)
}

function endAfter(offset: number, rows: readonly LogRow[]): End {
  return { count: offset + rows.length, lastId: rows.at(-1)?.id }
}
