import { useRef } from 'react'

/**
 * One write at a time, known before it is drawn: a second press in the same moment sends nothing. `free` is for what may
 * be sent again; what was written never is, though its form stands until the next page has been read.
 */
export function useSubmitLock() {
  const isTaken = useRef(false)
  return (begin: (free: () => void) => void) => {
    if (isTaken.current) return
    isTaken.current = true
    begin(() => {
      isTaken.current = false
    })
  }
}
