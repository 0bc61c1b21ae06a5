import { createContext, useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'

import { useSessionState } from '../../auth/use-session.ts'

/** Whether user data is to be removed from the document, except where somebody is editing it. */
export const AwayContext = createContext(false)

export interface Held {
  /** Keeps the part of the page around an edit in the document until the edit is released. */
  readonly hold: (edit: object) => () => void
}

/** Handle of the part of the page that is removed while the session is locked. */
export const HeldContext = createContext<Held | undefined>(undefined)

/**
 * Returns whether user data must be away: from the moment that the session is locked until it is unlocked and the
 * page's data has been reloaded. Call it only once, in the app shell.
 */
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
