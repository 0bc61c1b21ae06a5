import { type RefObject, useEffect, useState } from 'react'

/** Enough that a page scrolled or tabbed through meets only what is ready. */
const margin = '1200px 0px'

const listeners = new WeakMap<Element, (near: boolean) => void>()
let observer: IntersectionObserver | undefined

function watch(element: Element, listener: (near: boolean) => void): () => void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
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

/** Whether an element is on the screen or not far from it; where the focus is, it stays near. */
export function useNear(element: RefObject<Element | null>, initially: boolean): boolean {
  const [near, setNear] = useState(initially)
  useEffect(() => {
    const { current } = element
    if (!current) return
    return watch(current, (isNear) => setNear(isNear || current.contains(document.activeElement)))
  }, [element])
  return near
}
