import { useEffect } from 'react'

let region: HTMLElement | null = null

const setRegion = (element: HTMLElement | null) => {
  region = element
}

/**
 * Says aloud what appears on the page without the focus going there. The region is on the page from its first moment on:
 * screen readers pass over one that comes together with its words.
 */
export function AnnouncedRegion() {
  return <div ref={setRegion} aria-live="polite" className="ds-visually-hidden" />
}

/** Says these words once, as long as the caller is on the page; others as soon as they are others. */
export function useAnnounced(words: string | undefined): void {
  useEffect(() => {
    if (words === undefined || !region) return
    const told = region
    told.textContent = words
    return () => {
      // A later announcement by another part of the page stays.
      if (told.textContent === words) told.textContent = ''
    }
  }, [words])
}
