import { type RefObject, startTransition, useEffect, useState } from 'react'

/** Enough that who tabs through the rows meets only what is ready. */
const margin = '120px 0px'

const listeners = new WeakMap<Element, (near: boolean) => void>()
let observer: IntersectionObserver | undefined

function watch(element: Element, listener: (near: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      // What comes near while the page is scrolled never keeps a key waiting.
      startTransition(() => {
        for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
      })
    },
    { rootMargin: margin },
  )
  listeners.set(element, listener)
  observer.observe(element)
  return () => {
    listeners.delete(element)
    observer?.unobserve(element)
  }
}

/**
 * Whether an element is on the screen or not far from it; where the focus is, it stays near.
 * @param expected That it will be, as far as can be told before anything is laid out.
 */
export function useNear(element: RefObject<Element | null>, expected: boolean): boolean {
  const [near, setNear] = useState(expected)
  const [wasExpected, setWasExpected] = useState(expected)
  if (expected !== wasExpected) {
    setWasExpected(expected)
    if (expected) setNear(true)
  }
  useEffect(() => {
    const { current } = element
    if (!current) return
    return watch(current, (isNear) => setNear(isNear || current.contains(document.activeElement)))
  }, [element])
  return near
}
