import { useEffect, useState } from 'react'

/**
 * Gives the focus back to where it was, for what is mounted to open it: Mantine's own dialogs do so only where `opened`
 * turns false.
 */
export function useFocusBack() {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    },
    [before],
  )
}
