import { createContext, type FormEvent, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { useRevalidator } from 'react-router'

import { useSessionState } from '../../auth/use-session.ts'

/** Whether user data is to be removed from the document, except where somebody is editing it. */
export const AwayContext = createContext(false)

interface Held {
  /** Keeps the part of the page around an edit in the document until the edit is released. */
  readonly hold: (edit: object) => () => void
}

/** Handle of the part of the page that is removed while the session is locked. */
export const HeldContext = createContext<Held | undefined>(undefined)

/** Whether user data must be away: from a lock until it is unlocked and read again. Call it once, in the shell. */
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

interface PutAwayProps {
  readonly children: ReactNode
  /** Content shown while the children are removed. */
  readonly instead?: ReactNode
}

const draftBoxes = 'textarea, input:not([type="search"], [type="checkbox"], [type="radio"])'

/** Removes its children, which show user data, while the session is locked, except around an unsaved edit or input. */
export function PutAway({ children, instead = null }: PutAwayProps) {
  const isTime = use(AwayContext)
  const above = use(HeldContext)
  const [edits] = useState(() => new Set<object>())
  // Held weakly: with a box of an editor that was closed, all of the editor and what was typed would stay in memory.
  const [boxes] = useState(() => new Set<WeakRef<HTMLInputElement>>())
  const [wasTime, setWasTime] = useState(isTime)
  const [isAway, setAway] = useState(isTime)
  const held = useMemo(
    () => ({
      hold(edit: object) {
        edits.add(edit)
        const release = above?.hold(edit)
        return () => {
          edits.delete(edit)
          release?.()
        }
      },
    }),
    [edits, above],
  )
  const note = ({ target }: FormEvent) => {
    if (!(target instanceof Element && target.matches(draftBoxes))) return
    for (const box of boxes) {
      const noted = box.deref()
      if (noted === target || noted?.isConnected !== true) boxes.delete(box)
    }
    boxes.add(new WeakRef(target as HTMLInputElement))
  }
  if (isTime !== wasTime) {
    const hasText = [...boxes].some((box) => {
      const { isConnected = false, value = '' } = box.deref() ?? {}
      return isConnected && value !== ''
    })
    setWasTime(isTime)
    setAway(isTime && edits.size === 0 && !hasText)
  }
  if (isAway) return instead
  return (
    <HeldContext value={held}>
      {/* React events also bubble up from dialogs, which are portals elsewhere in the document. */}
      <div style={{ display: 'contents' }} onInput={note}>
        {children}
      </div>
    </HeldContext>
  )
}
