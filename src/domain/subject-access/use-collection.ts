import { useQueryClient } from '@tanstack/react-query'
import { use, useEffect, useEffectEvent } from 'react'

import { usePerson } from '../../auth/use-session.ts'
import { instantMs } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { aboutUser } from '../queries/users.ts'
import { useWork } from '../work/use-work.ts'
import { Collection, type Progress } from './collect.ts'
import type { SubjectAccess } from './document.ts'

/**
 * Collects all data about one person. The data lives only in this component's state: it is gone once the page is left,
 * even if the browser keeps the page in its back/forward cache.
 */
export function useCollection(userId: string) {
  const { work, begin, pause, goOn, reset } = useWork<Progress, SubjectAccess>()
  const client = useQueryClient()
  const { name } = usePerson()
  const { service } = use(ZonesContext)
  const forget = useEffectEvent(reset)
  useEffect(() => {
    const leave = () => forget()
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [])
  return {
    work,
    pause,
    goOn,
    reset,
    /**
     * Starts the collection. With a reason, it includes sensitive values. `onDone` is called once the document is
     * complete.
     */
    start: (reason?: string, onDone?: (document: SubjectAccess) => void) => {
      const instantOf = (zoneless: string) => instantMs(zoneless, service)
      const { run } = new Collection({ userId, madeBy: name, reason, instantOf })
      begin(async (...given) => {
        // Even a failed run may have recorded reads, which the user's tabs must show.
        const document = await run(...given).finally(
          () => void client.invalidateQueries({ queryKey: [...aboutUser(userId), 'now'] }),
        )
        given[0].throwIfAborted()
        onDone?.(document)
        return document
      })
    },
  }
}
