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

/** Announces a text. Returns a function that takes it back out of the region. `isShown`: the page shows the text too. */
export function announce(words: string, isShown = false): () => void {
  // An element of its own: a text in place of an earlier one could silence that.
  const said = document.createElement('p')
  said.textContent = words
  if (isShown) said.dataset['echo'] = ''
  region?.append(said)
  return () => said.remove()
}

/**
 * Announces a text once while the caller is mounted, and again whenever the text changes. For changes that do not take
 * the focus.
 */
export function useAnnounced(words: string | undefined): void {
  useEffect(() => (words === undefined || words === '' ? undefined : announce(words)), [words])
}
