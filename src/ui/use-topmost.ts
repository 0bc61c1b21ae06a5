import { useCallback, useEffect, useState } from 'react'

/** Open overlays, the topmost last. */
const overlays: symbol[] = []

/**
 * Returns a test whether this overlay is the topmost open one, because Mantine passes Escape to all of them. Mantine's
 * own stacks would pass it to the topmost only, but they keep a dialog that was unmounted while open, and a stack of
 * dialogs cannot hold drawers.
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
