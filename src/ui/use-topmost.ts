import { useCallback, useEffect, useState } from 'react'

/** Open overlays over the page, the topmost last. */
const overlays: symbol[] = []

/**
 * Tells whether this overlay is the topmost one of those that are open. Mantine hands Escape to all of them; its stacks,
 * which would not, never learn that a dialog was unmounted, and one stack knows no drawers beside dialogs.
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
