import type { UserList, UserSearch } from '#contract/index.ts'
import { api } from '../../api/index.ts'
import { following } from './paging.ts'

/** Which users: of a segment, all of them (`{}`), or those that a search finds. */
export type UserSource =
  | { readonly segment?: string | undefined; readonly search?: undefined }
  | { readonly search: Omit<UserSearch, 'offset'>; readonly segment?: undefined }

export interface UserPages {
  /** The `next` of the last page that came, to go on behind it; absent: from the beginning. */
  readonly from?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface UserPage {
  readonly users: UserList['users']
  /** Of the whole source; absent where the service does not say. */
  readonly total: number | undefined
  /** Of this page: to be read again after a failure behind it. */
  readonly offset: string
  /** Absent on the last page. */
  readonly next: string | undefined
}

/**
 * All pages of a source, one request at a time. It throws what a page failed with; begun again `from` the `next` of the
 * last page that came, it goes on there.
 */
export async function* userPages(source: UserSource & UserPages): AsyncGenerator<UserPage, void, undefined> {
  const seen = new Set<string>()
  let offset: string | undefined = source.from ?? ''
  while (offset !== undefined) {
    seen.add(offset)
    const page = await readPage(source, offset, source.signal)
    const next = following(page, seen)
    yield { users: page.users, total: page.total ?? undefined, offset, next }
    offset = next
  }
}

function readPage({ segment, search }: UserSource, offset: string, aborted: AbortSignal | undefined) {
  const signal = aborted && { signal: aborted }
  return search === undefined
    ? api.listUsers({ query: { segment, offset }, ...signal })
    : api.searchUsers({ body: { ...search, ...(offset !== '' && { offset }) }, ...signal })
}
