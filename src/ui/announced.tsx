import { useEffect } from 'react'

let region: HTMLElement | null = null

const setRegion = (element: HTMLElement | null) => {
  region = element
}

/** Live region of changes that do not take the focus. Screen readers ignore a region that comes with its text. */
export function AnnouncedRegion() {
  return <div ref={setRegion} aria-live="polite" className="ds-visually-hidden" />
}

/** Announces a text once while the caller is mounted, and again whenever the text changes. */
export function useAnnounced(words: string | undefined): void {
  useEffect(() => {
    if (words === undefined || !region) return
    const element = region
    element.textContent = words
    return () => {
      // A later announcement by another part of the page is kept.
      if (element.textContent === words) element.textContent = ''
    }
  }, [words])
}
