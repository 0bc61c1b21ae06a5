import { useCallback, useEffect, useState } from 'react'

/** How long a value stays on screen, and in the clipboard. */
export const shownMs = 60_000

/**
 * One sensitive value at a time is shown, by the id of its row: for a minute, and not on a page that nobody looks at.
 * Leaving the page takes it along.
 */
export function useReveal() {
  const [revealed, setRevealed] = useState<string>()
  const hide = useCallback(() => setRevealed(undefined), [])

  useEffect(() => {
    if (revealed === undefined) return
    const timer = setTimeout(hide, shownMs)
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') hide()
    }
    document.addEventListener('visibilitychange', onVisibility)
    // A page in the back-forward cache comes back as it was left.
    addEventListener('pagehide', hide)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisibility)
      removeEventListener('pagehide', hide)
    }
  }, [revealed, hide])

  return { revealed, reveal: setRevealed, hide }
}

let clearing: ReturnType<typeof setTimeout> | undefined

/** After a minute the clipboard no longer holds what was copied from here, where the browser allows that. */
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
