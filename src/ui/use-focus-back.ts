import { useEffect, useState } from 'react'

/** Returns the focus on unmounting. Mantine's dialogs do so only when `opened` changes to false. */
export function useFocusBack() {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    },
    [before],
  )
}
