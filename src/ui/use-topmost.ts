import { useCallback, useEffect, useState } from 'react'

/** Open overlays over the page, the topmost last. */
const overlays: symbol[] = []

/**
 * Tells whether this overlay is the topmost of those that are open. Mantine hands Escape to all of them. Its own stacks
 * would hand it to the topmost alone, but they keep a dialog that was unmounted while open, and a stack of dialogs holds no
 * drawers.
 */
export function useTopmost(isOpen = true): () => boolean {
  const [self] = useState(() => Symbol('overlay'))
  useEffect(() => {
    if (!isOpen) return
    overlays.push(self)
    return () => void overlays.splice(overlays.indexOf(self), 1)
  }, [isOpen, self])
  return useCallback(() => overlays.at(-1) === self, [self])
}
