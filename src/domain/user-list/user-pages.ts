import { type UserList, type UserSearch, usersPerPage } from '#contract/index.ts'
import { api, ApiError } from '../../api/index.ts'
import { inParallel } from '../work/concurrency.ts'

const requestsAtOnce = 4

/** Which users: of a segment, all of them (`{}`), those that a search finds, or those with these ids. */
export type UserSource =
  | { readonly segment?: string | undefined; readonly search?: undefined; readonly ids?: undefined }
  | { readonly search: Omit<UserSearch, 'offset'>; readonly segment?: undefined; readonly ids?: undefined }
  | { readonly ids: readonly string[]; readonly segment?: undefined; readonly search?: undefined }

/** State of the export's history entry: the entry of the list it was opened from, and whether that showed a search. */
export interface ExportFrom {
  readonly listEntry: string
  readonly isSearch: boolean
}

export interface UserPages {
  /** The `next` of the last page that was read, to continue after it; absent: from the beginning. */
  readonly from?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface UserPage {
  readonly users: UserList['users']
  /** Number of users in the whole source; absent where the service does not say. */
  readonly total: number | undefined
  /** Offset of this page, from which it is read again after a later page has failed. */
  readonly offset: string
  /** Absent on the last page. */
  readonly next: string | undefined
}

/**
 * Reads all pages of a source, one request at a time. It throws what a page failed with, and continues `from` the `next`
 * of the last page that was read.
 */
export async function* userPages(source: UserSource & UserPages): AsyncGenerator<UserPage, void, undefined> {
  const seen = new Set<string>()
  let offset: string | undefined = source.from ?? ''
  while (offset !== undefined) {
    seen.add(offset)
    const page = await readPage(source, offset, source.signal)
    // A source of ids may have a page whose users are all deleted, although later pages have some.
    const next = (source.ids && page.next) || nextOffset(page, seen)
    yield { users: page.users, total: page.total ?? undefined, offset, next }
    offset = next
  }
}

function readPage(
  { segment, search, ids }: UserSource,
  offset: string,
  aborted: AbortSignal | undefined,
): Promise<UserList> {
  const signal = aborted && { signal: aborted }
  if (ids) return readNamed(ids, Number(offset), signal)
  return search === undefined
    ? api.listUsers({ query: { segment, offset }, ...signal })
    : api.searchUsers({ body: { ...search, ...(offset !== '' && { offset }) }, ...signal })
}

/** Users by their ids; those who are gone are left out. An offset is how many ids come before. */
async function readNamed(
  ids: readonly string[],
  offset: number,
  signal: { readonly signal: AbortSignal } | undefined,
): Promise<UserList> {
  const end = offset + usersPerPage
  const read = await inParallel(ids.slice(offset, end), requestsAtOnce, (id) =>
    api.getUser({ params: { user_id: id }, ...signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return undefined
      throw error
    }),
  )
  return {
    total: ids.length,
    users: read.filter((user) => user !== undefined),
    next: end < ids.length ? String(end) : '',
  }
}

/**
 * Returns the offset of the page after this one. The API document leaves open how the last page is marked: an absent, null
 * or empty offset, one that was seen before (which would repeat the list for ever) and an empty page all mean the end.
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
