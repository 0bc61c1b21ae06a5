import { useCallback, useEffect, useLayoutEffect, useState } from 'react'

import { focusedElement } from './keys/typed-ahead.ts'

/** Open overlays, the topmost last. */
const overlays: symbol[] = []

/** Marks the root of the document while the page is dimmed, for what no overlay covers (base.css). */
const markDimmed = () => document.documentElement.toggleAttribute('data-dimmed', overlays.length > 0)

/**
 * Registers an overlay that dims the page, and returns a function that tells if it is the topmost: Mantine passes Escape
 * to all open ones. Mantine's own stacks would pass it to the topmost only, but they keep a dialog that was unmounted
 * while open, and a stack of dialogs cannot hold drawers.
 */
export function useOverlay(): () => boolean {
  const [self] = useState(() => Symbol('overlay'))
  useLayoutEffect(() => {
    overlays.push(self)
    markDimmed()
    return () => {
      overlays.splice(overlays.indexOf(self), 1)
      markDimmed()
    }
  }, [self])
  return useCallback(() => overlays.at(-1) === self, [self])
}

/**
 * Whether a modal dialog covers the page, which must then neither take the focus nor open another one. A side panel that
 * leaves the page usable does not count.
 */
export const isModalOpen = () => document.querySelector('dialog:modal, [aria-modal="true"]') !== null

/**
 * Returns the focus on unmounting. Mantine's dialogs do so only when `opened` changes to false. An item of a menu is gone
 * by then, so that the button of the menu gets the focus.
 */
export function useFocusBack() {
  const [before] = useState(() => {
    const focused = focusedElement()
    const menu = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby')
    return document.getElementById(menu ?? '') ?? focused
  })
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    },
    [before],
  )
}

/** Marks the root of the document while an overlay hides all of the page, before anything is painted (base.css). */
export function useCovering(isCovering: boolean) {
  useLayoutEffect(() => {
    if (!isCovering) return
    const { dataset } = document.documentElement
    dataset['covered'] = ''
    return () => void delete dataset['covered']
  }, [isCovering])
}
