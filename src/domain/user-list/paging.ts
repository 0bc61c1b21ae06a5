import * as z from 'zod'

import type { UserList } from '#contract/index.ts'

/** Pages of a list before the current one, the earliest first. */
const visitedPages = z
  .array(z.object({ offset: z.string(), rows: z.number() }).readonly())
  .readonly()
  .catch([])
type VisitedPages = z.infer<typeof visitedPages>

/** Page of the list or of a search. Offsets only lead forward, so the visited pages are kept for the way back. */
export interface PageAt {
  readonly offset: string
  readonly visited: VisitedPages
}

/** Reads the visited pages from the state of a history entry. An entry opened from somebody else's link has none. */
export function readVisited(historyState: unknown): VisitedPages {
  return visitedPages.parse((historyState as { readonly visited?: unknown } | null | undefined)?.visited)
}

export function locatePage(page: UserList, at: PageAt) {
  const { offset } = at
  const visited = offset === '' ? [] : at.visited
  const before = visited.at(-1)
  const next = nextOffset(page, new Set([...visited.map((each) => each.offset), offset]))
  const first: PageAt | undefined = offset === '' ? undefined : { offset: '', visited: [] }
  const previous: PageAt | undefined = before && { offset: before.offset, visited: visited.slice(0, -1) }
  return {
    first,
    previous,
    next:
      next === undefined
        ? undefined
        : { offset: next, visited: [...visited, { offset, rows: page.users.length }] },
    /** Range of the rows, counted from 1; undefined if unknown. */
    range: countRange(page, next !== undefined, (visited[0]?.offset ?? offset) === '' ? visited : undefined),
    /** Whether the list was opened in the middle, so that earlier pages exist but their offsets are unknown. */
    isWayBackUnknown: offset !== '' && before === undefined,
  }
}

/**
 * Returns the range of the rows. Undefined if it contradicts the total, because users may have been added or removed
 * since the earlier pages were read.
 */
function countRange(page: UserList, hasNext: boolean, visited: VisitedPages | undefined) {
  if (!visited || page.users.length === 0) return undefined
  const before = visited.reduce((sum, { rows }) => sum + rows, 0)
  const to = before + page.users.length
  const { total } = page
  if (typeof total === 'number' && (hasNext ? to >= total : to !== total)) return undefined
  return { from: before + 1, to }
}

/**
 * Returns the offset of the next page, or `undefined` after the last one. The API document does not define how the
 * last page is marked: an absent, null or empty offset, a repeated offset (which would loop forever) and an empty page
 * all mean the end.
 */
export function nextOffset(
  page: Pick<UserList, 'next' | 'users'>,
  seen: ReadonlySet<string>,
): string | undefined {
  const { next, users } = page
  return next === undefined || next === null || next === '' || users.length === 0 || seen.has(next)
    ? undefined
    : next
}
