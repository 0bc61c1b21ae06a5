import { createContext, useCallback, useEffect, useState } from 'react'

import type { Property } from '#contract/index.ts'

import { useSession } from '../../auth/use-session.ts'
import { isMasked, type DraftRow } from './row.ts'

/** How long a value stays on screen, and in the clipboard. */
export const shownMs = 60_000

/** A sensitive value on screen. It is in no cache and no storage, and goes with the form. */
export interface Revealed {
  readonly rowId: string
  readonly type: string
  readonly value: unknown
  readonly untilMs: number
}

/** The last reason that was given, by user: while the page of the entities is open. */
export type GivenReasons = Map<string, string>
export const GivenReasonsContext = createContext<GivenReasons>(new Map())

/** Hides the value shown or being asked for, in whichever of the page's entities it is. */
let hideCurrent: (() => void) | undefined

/**
 * One sensitive value at a time is shown, whichever entity has it: for a minute, and not on a page that nobody looks at or
 * whose session is locked. Leaving the page takes it along. What the service keeps back has to be asked for first.
 */
export function useReveal() {
  const [revealed, setRevealed] = useState<Revealed>()
  const [asking, setAsking] = useState<DraftRow>()
  const session = useSession()

  const hide = useCallback(() => {
    setRevealed(undefined)
    setAsking(undefined)
  }, [])
  useEffect(
    () => () => {
      if (hideCurrent === hide) hideCurrent = undefined
    },
    [hide],
  )
  const show = useCallback((rowId: string, { type, value }: Property) => {
    setAsking(undefined)
    setRevealed({ rowId, type, value, untilMs: Date.now() + shownMs })
  }, [])
  const reveal = useCallback(
    (row: DraftRow) => {
      if (!row.loaded) return
      hideCurrent?.()
      hideCurrent = hide
      if (!isMasked(row)) return show(row.id, row.loaded)
      setAsking(row)
    },
    [show, hide],
  )

  useEffect(() => {
    if (!revealed) return
    const unsubscribe = session.subscribe(() => {
      if (session.state().status === 'locked') hide()
    })
    const timer = setTimeout(hide, revealed.untilMs - Date.now())
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') hide()
    }
    document.addEventListener('visibilitychange', onVisibility)
    // A page restored from the back-forward cache would still show the value.
    addEventListener('pagehide', hide)
    return () => {
      unsubscribe()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisibility)
      removeEventListener('pagehide', hide)
    }
  }, [revealed, hide, session])

  return { revealed, asking, reveal, show, hide }
}

let clearing: ReturnType<typeof setTimeout> | undefined

/** Clears the clipboard after a minute if it was copied to from here, as far as the browser allows. */
export function clearClipboardLater(): void {
  clearTimeout(clearing)
  clearing = setTimeout(clearClipboard, shownMs)
  // Something else that is copied on this page is not ours to take away.
  document.addEventListener('copy', leaveClipboard, { once: true })
}

function leaveClipboard() {
  clearTimeout(clearing)
}

function clearClipboard() {
  document.removeEventListener('copy', leaveClipboard)
  // Only the page with the focus may write to the clipboard.
  if (!document.hasFocus()) {
    addEventListener('focus', clearClipboard, { once: true })
    return
  }
  navigator.clipboard.writeText('').catch(() => undefined)
}
