import { useEffect, useState } from 'react'

/** Returns the text once it has not changed for `delayMs`. An emptied text is returned at once. */
export function useDebouncedValue(text: string, delayMs: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), delayMs)
    return () => clearTimeout(timer)
  }, [text, delayMs])
  return text === '' ? text : settled
}
