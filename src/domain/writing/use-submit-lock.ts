import { useRef } from 'react'

/**
 * Returns a function that runs one write at a time. The lock takes effect before the next render, so a double press
 * sends only one request. `free` releases it for an attempt that may be repeated. A successful write never releases
 * it, although its form stays visible until the next page has loaded.
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
