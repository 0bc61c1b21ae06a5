import type { QueryClient } from '@tanstack/react-query'

import { usersPerPage } from '#contract/index.ts'
import { userQuery } from '../../domain/queries/users.ts'
import type { useListEntry } from './list-entry.ts'

/** The matches that are on screen, and the way to the others. */
export function scannedPage({ entry, change }: ReturnType<typeof useListEntry>, client: QueryClient) {
  const matches = entry.scan?.progress?.matches ?? []
  const from = Number(entry.offset)
  const to = Math.min(from + usersPerPage, matches.length)
  const go = (offset: number) => () => {
    change({ offset: String(offset) })
    window.scrollTo(0, 0)
  }
  return {
    // Somebody opened meanwhile has been read since.
    rows: matches
      .slice(from, to)
      .map((user) => client.getQueryData(userQuery(user.id).queryKey)?.user ?? user),
    pager:
      matches.length > usersPerPage
        ? {
            from: from + 1,
            to,
            total: matches.length,
            onFirst: from > 0 ? go(0) : undefined,
            onPrevious: from > 0 ? go(from - usersPerPage) : undefined,
            onNext: to < matches.length ? go(to) : undefined,
          }
        : undefined,
  }
}
