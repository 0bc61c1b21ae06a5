import { useEffect, useEffectEvent } from 'react'

import { idle, useWork, type Work } from '../../domain/work/use-work.ts'
import type { useListEntry } from './list-entry.ts'
import { nothingScanned, type Scan, scanFor } from './scan.ts'

/** Where the service offers no search: all pages of the segment gone through, kept with the entry of the history. */
export function useScan({ entry, change }: ReturnType<typeof useListEntry>) {
  const { q, segment } = entry
  const { work, begin, pause, leave } = useWork<Scan>([
    entry.scan ?? idle,
    (next: (before: Work<Scan, void>) => Work<Scan, void>) =>
      change((before) => ({ scan: next(before.scan ?? idle) })),
  ])
  const goOn = () => begin(scanFor(q, segment))
  const start = useEffectEvent(() => {
    if (work.phase === 'idle' || work.phase === 'running') goOn()
  })
  useEffect(() => {
    start()
    return leave
  }, [leave])
  return { work, progress: work.progress ?? nothingScanned, pause, goOn }
}
