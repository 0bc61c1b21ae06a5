import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'

import { usersPerPage } from '#contract/index.ts'
import { userQuery } from '../../domain/queries/users.ts'
import { idle, useWork, type Work } from '../../domain/work/use-work.ts'
import type { useListEntry } from './list-entry.ts'
import { nothingScanned, type Scan, scanFor } from './scan.ts'

/** Where the service offers no search: all pages of the segment gone through, kept with the entry of the history. */
export function useScan({ key, entry, change }: ReturnType<typeof useListEntry>, isWanted: boolean) {
  const client = useQueryClient()
  const { q, segment } = entry
  const kept = entry.scan ?? idle
  const { work, begin, pause, leave } = useWork<Scan>([
    kept,
    (next: (before: Work<Scan, void>) => Work<Scan, void>) =>
      change((before) => ({ scan: next(before.scan ?? idle) })),
  ])
  const goOnFromHere = () => begin(scanFor(q, segment))
  const start = useEffectEvent(() => {
    if (work.phase === 'idle' || work.phase === 'running') goOnFromHere()
  })
  const id = isWanted ? `${key} ${segment} ${q}` : undefined
  useEffect(() => {
    if (id === undefined) return undefined
    start()
    return leave
  }, [id, leave])

  const progress = work.progress ?? nothingScanned
  const { matches } = progress
  const from = Number(entry.offset)
  const to = Math.min(from + usersPerPage, matches.length)
  const go = (offset: number) => () => {
    change({ offset: String(offset) })
    window.scrollTo(0, 0)
  }
  return {
    work,
    progress,
    pause,
    goOn: goOnFromHere,
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
