import { useEffect, useState } from 'react'

/** What is typed, once nothing more has come for a moment. Emptied is settled at once. */
export function useSettled(text: string, delayMs: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), delayMs)
    return () => clearTimeout(timer)
  }, [text, delayMs])
  return text === '' ? text : settled
}
