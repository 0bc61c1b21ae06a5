import { type RefObject, useEffect, useState } from 'react'

/** Returns whether an element has been on the screen or close to it. An element that is not displayed never is. */
export function useCameNear(element: RefObject<Element | null>, initially = false): boolean {
  const [near, setNear] = useState(initially)
  useEffect(() => {
    const { current } = element
    if (near || !current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: '300px 0px' },
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [element, near])
  return near
}
