import { type UserList, type UserSearch, usersPerPage } from '#contract/index.ts'
import { api, ApiError } from '../../api/index.ts'
import { runInParallel } from '../work/concurrency.ts'
import { nextOffset } from './paging.ts'

const requestsAtOnce = 4

/** Set of users: those of a segment, all users (`{}`), the results of a search, or the users with given ids. */
export type UserSource =
  | { readonly segment?: string | undefined; readonly search?: undefined; readonly ids?: undefined }
  | { readonly search: Omit<UserSearch, 'offset'>; readonly segment?: undefined; readonly ids?: undefined }
  | { readonly ids: readonly string[]; readonly segment?: undefined; readonly search?: undefined }

/**
 * State of the export's history entry: key of the list's entry from which it was opened, and whether the list showed a
 * search.
 */
export interface ExportFrom {
  readonly listEntry: string
  readonly isSearch: boolean
}

export interface UserPages {
  /** `next` of the last page that was read, to continue after it; undefined to start from the beginning. */
  readonly from?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface UserPage {
  readonly users: UserList['users']
  /** Number of users in the whole source; undefined if the service does not report it. */
  readonly total: number | undefined
  /** Offset of this page, used to read it again after a later page has failed. */
  readonly offset: string
  /** Offset of the next page; undefined on the last page. */
  readonly next: string | undefined
}

/**
 * Reads all pages of a source, one request at a time. Throws the error of a failed page; to resume, pass the `next` of
 * the last page as `from`.
 */
export async function* userPages(source: UserSource & UserPages): AsyncGenerator<UserPage, void, undefined> {
  const seen = new Set<string>()
  let offset: string | undefined = source.from ?? ''
  while (offset !== undefined) {
    seen.add(offset)
    const page = await readPage(source, offset, source.signal)
    // In a source of ids, all users of a page may be deleted although later pages have some.
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

/** Reads users by id, leaving out deleted ones. The offset is an index into the ids. */
async function readNamed(
  ids: readonly string[],
  offset: number,
  signal: { readonly signal: AbortSignal } | undefined,
): Promise<UserList> {
  const end = offset + usersPerPage
  const read = await runInParallel(ids.slice(offset, end), requestsAtOnce, (id) =>
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
