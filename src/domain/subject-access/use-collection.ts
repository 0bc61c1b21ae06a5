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
 * Collects everything about one person. It is in this component's state and nowhere else: gone with the page, also with
 * one that the browser keeps to go back to.
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
    /** With a reason, sensitive values are asked for. `onDone`: once it is whole. */
    start: (reason?: string, onDone?: (document: SubjectAccess) => void) => {
      const instantOf = (zoneless: string) => instantMs(zoneless, service)
      const { run } = new Collection({ userId, madeBy: name, reason, instantOf })
      begin(async (...given) => {
        // Also of one that fails, its readings are recorded.
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
