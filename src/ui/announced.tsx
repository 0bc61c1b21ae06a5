import { useEffect } from 'react'

let region: HTMLElement | null = null

const setRegion = (element: HTMLElement | null) => {
  region = element
}

/**
 * Place of announcements, within the live region of the page. Screen readers ignore a live region that comes with its
 * text, so it is there before.
 */
export function AnnouncedTexts() {
  return <div ref={setRegion} className="ds-visually-hidden" />
}

/**
 * Announces a text once while the caller is mounted, and again whenever the text changes. For changes that do not take
 * the focus.
 */
export function useAnnounced(words: string | undefined): void {
  useEffect(() => {
    if (words === undefined || words === '' || !region) return undefined
    // An element of its own: a text in place of an earlier one could silence that.
    const said = document.createElement('p')
    said.textContent = words
    region.append(said)
    return () => said.remove()
  }, [words])
}
