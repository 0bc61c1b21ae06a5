import { type Event, eventsPerPage } from '#contract/index.ts'

/** State of a backward search of the log for one user's events. */
export interface LogSearch {
  /** Events found about the user, newest first. */
  readonly events: readonly Event[]
  /** First searched position; the search covers positions from here up to `to`. */
  readonly from: number
  readonly to: number
  /** Whether no older event can be about the user. */
  readonly complete: boolean
}

export interface SearchedLog {
  readonly userId: string
  /** Time at which the user was created, in milliseconds; undefined if it is unknown. */
  readonly createdMs: number | undefined
  /** Reads 100 events from a multiple of 100 on, oldest first. */
  readonly readPage: (offset: number) => Promise<readonly Event[]>
}

/** Maximum difference between the clocks of the service and its log. */
const slackMs = 24 * 3_600_000
const pagesAtOnce = 4

export function createLogSearch(count: number): LogSearch {
  return { events: [], from: count, to: count, complete: count === 0 }
}

/**
 * Continues a search and yields its state: once after all newer events, up to `count`, then after each older page. The
 * log is append-only, so searched parts stay searched. Throws the error of a failed page; called again with the last
 * yielded state, it resumes there.
 */
export async function* searchLog(log: SearchedLog, known: LogSearch, count: number) {
  let search = known
  if (count > known.to) {
    const newer: Event[] = []
    for await (const { rows } of pagesBack(log, count, known.to)) newer.push(...filterByUser(log, rows))
    search = { ...known, events: [...newer, ...known.events], to: count }
    yield search
  }
  if (search.complete) return
  for await (const { rows, from } of pagesBack(log, search.from, 0)) {
    const found = filterByUser(log, rows)
    search = {
      ...search,
      events: [...search.events, ...found],
      from,
      complete:
        from === 0 || found.some(({ type }) => type === 'USER_CREATED') || isBeforeCreation(log, rows),
    }
    yield search
    if (search.complete) return
  }
}

/** Yields pages from `before` (exclusive) down to `floor`, a few at a time, with the rows newest first. */
async function* pagesBack({ readPage }: SearchedLog, before: number, floor: number) {
  let end = before
  while (end > floor) {
    const starts: number[] = []
    let start = Math.floor((end - 1) / eventsPerPage) * eventsPerPage
    for (; starts.length < pagesAtOnce && start + eventsPerPage > floor && start >= 0; start -= eventsPerPage)
      starts.push(start)
    const pages = starts.map((offset) => readPage(offset))
    // Each page is awaited in turn below; until then, its failure must not count as an unhandled rejection.
    for (const page of pages) page.catch(() => undefined)
    for (const [index, offset] of starts.entries()) {
      const page = (await pages[index]) ?? []
      const from = Math.max(offset, floor)
      yield { rows: page.slice(from - offset, end - offset).toReversed(), from }
      end = from
    }
  }
}

function filterByUser({ userId }: SearchedLog, rows: readonly Event[]): Event[] {
  return rows.filter(({ properties }) => properties['user'] === userId)
}

/** Whether all events happened before the user was created. */
function isBeforeCreation({ createdMs }: SearchedLog, rows: readonly Event[]): boolean {
  if (createdMs === undefined || rows.length === 0) return false
  return rows.every(({ eventtime }) => Date.parse(eventtime) < createdMs - slackMs)
}
