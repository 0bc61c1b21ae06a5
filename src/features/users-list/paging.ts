import type { UserList } from '#contract/index.ts'
import { links } from '../../domain/links.ts'
import type { VisitedPages } from '../../domain/user-list/place.ts'
import { following } from '../../domain/user-list/user-pages.ts'

export interface ListLoad {
  /** Part of the address that the service does not know, or no longer knows. */
  readonly missing: 'segment' | 'offset' | undefined
}

/**
 * Opaque offsets only lead forward, so the way here is kept in the history entry: the pages before this one, the
 * earliest first. It survives reload and Back, and is missing where somebody else's address was opened.
 */
export interface Trail {
  readonly visited: VisitedPages
}
type Visited = VisitedPages

/** Written by hand, because a schema would bring its library into the first page's download. */
export function readTrail(historyState: unknown): Trail {
  const { visited } = (historyState ?? {}) as { visited?: unknown }
  const isTrail = Array.isArray(visited) && visited.every(isVisited)
  return { visited: isTrail ? visited : [] }
}

function isVisited(value: unknown): value is Visited[number] {
  const { offset, rows } = (value ?? {}) as Record<string, unknown>
  return typeof offset === 'string' && typeof rows === 'number'
}

/** Address and history state of a page of the list, for `navigate(step.to, { state: step.state })`. */
export interface Step {
  readonly offset: string
  readonly to: string
  readonly state: Trail
}

/** Position of the current page, for the pager. */
export interface Position {
  readonly first: Step | undefined
  readonly previous: Step | undefined
  readonly next: Step | undefined
  /** Rows counted from 1; absent where it is not known how many users come before. */
  readonly range: { readonly from: number; readonly to: number } | undefined
  /** The list was opened in the middle, so earlier pages exist but their offsets are unknown. */
  readonly isWayBackUnknown: boolean
}

export function position(
  page: UserList,
  place: { readonly segment: string | undefined; readonly offset: string },
  state: unknown,
): Position {
  const { segment, offset } = place
  const visited: Visited = offset === '' ? [] : readTrail(state).visited
  const step = (offset: string, visited: Visited): Step => ({
    offset,
    to: links.users({ segment, offset }),
    state: { visited },
  })
  const rows = page.users.length
  const before = visited.at(-1)
  const next = following(page, new Set([...visited.map(({ offset }) => offset), offset]))
  return {
    first: offset === '' ? undefined : step('', []),
    previous: before && step(before.offset, visited.slice(0, -1)),
    next: next === undefined ? undefined : step(next, [...visited, { offset, rows }]),
    range: honestRange(page, next !== undefined, (visited[0]?.offset ?? offset) === '' ? visited : undefined),
    isWayBackUnknown: offset !== '' && before === undefined,
  }
}

/** Users may have come and gone since the pages before were read: a count that contradicts the total is not shown. */
function honestRange(page: UserList, hasNext: boolean, visited: Visited | undefined): Position['range'] {
  if (!visited || page.users.length === 0) return undefined
  const before = visited.reduce((sum, { rows }) => sum + rows, 0)
  const to = before + page.users.length
  const { total } = page
  if (typeof total === 'number' && (hasNext ? to >= total : to !== total)) return undefined
  return { from: before + 1, to }
}
