import { createContext, type ReactNode, use, useCallback, useEffect, useRef } from 'react'

import { restoringText } from '../../messages/index.ts'
import { isTyping } from '../../ui/keys/shortcut.ts'
import type { Toast } from '../../ui/toast.tsx'

/**
 * Takes the undo of what was just saved, and returns the action of its message. `undefined`: it cannot be undone, and
 * neither should Ctrl or ⌘ with Z undo what was saved before it.
 */
type OfferUndo = (undo: (() => void) | undefined) => Toast['action']

const UndoContext = createContext<OfferUndo>(() => undefined)

export const useOfferUndo = (): OfferUndo => use(UndoContext)

/**
 * Page on which Ctrl or ⌘ with Z undoes what was saved last, and the button of each message what it is about, even after
 * the page is left.
 */
export function LastUndo({ children }: { readonly children: ReactNode }) {
  const last = useRef<() => void>(undefined)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, target, defaultPrevented } = event
      if (key.toLowerCase() !== 'z' || ctrlKey === metaKey || altKey || shiftKey || defaultPrevented) return
      // In a field, the browser undoes what was typed.
      if (!last.current || isTyping(target)) return
      event.preventDefault()
      last.current()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  const offer = useCallback<OfferUndo>((undo) => {
    last.current = undefined
    if (!undo) return undefined
    const undoOnce = () => {
      if (last.current === undoOnce) last.current = undefined
      undo()
    }
    last.current = undoOnce
    return { label: restoringText.undo, onPress: undoOnce }
  }, [])
  return <UndoContext value={offer}>{children}</UndoContext>
}
