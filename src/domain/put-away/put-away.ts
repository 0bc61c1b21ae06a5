import { createContext, useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'

import { useSessionState } from '../../auth/use-session.ts'

/** Whether what tells of users is out of the document, unless somebody works on it. */
export const AwayContext = createContext(false)

export interface Held {
  /** Keeps what is around an edit in the document, until it is released. */
  readonly hold: (edit: object) => () => void
}

/** Handle of the part of the page that is taken out of the document while the session is locked. */
export const HeldContext = createContext<Held | undefined>(undefined)

/** From the moment that the session is locked until it is not, and what the page reads is there again. Once, in the shell. */
export function useAwayTime(): boolean {
  const isLocked = useSessionState().status === 'locked'
  const { revalidate } = useRevalidator()
  const [isAway, setAway] = useState(isLocked)
  if (isLocked && !isAway) setAway(true)
  useEffect(() => {
    if (isLocked || !isAway) return
    let isCurrent = true
    void revalidate().finally(() => {
      if (isCurrent) setAway(false)
    })
    return () => {
      isCurrent = false
    }
  }, [isLocked, isAway, revalidate])
  return isAway
}
