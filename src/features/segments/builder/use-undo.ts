import { type ChangeEvent, type KeyboardEvent, useLayoutEffect, useRef } from 'react'

import { segmentText } from '../../../messages/index.ts'
import { isApple } from '../../../ui/platform.ts'
import { useHistory } from './use-history.ts'

const words = segmentText.create

/** Undo for a value that is written in a field set, with its keys: what is typed in one control is one step. */
export function useUndo<T>(present: T, onChange: (next: T) => void, say: (text: string) => void) {
  const ref = useRef<HTMLFieldSetElement>(null)
  const typedIn = useRef<EventTarget>(undefined)
  const wasStepped = useRef(false)
  const history = useHistory(present, onChange)
  // What had the focus may have been taken back.
  useLayoutEffect(() => {
    if (!wasStepped.current) return
    wasStepped.current = false
    if (!ref.current?.contains(document.activeElement))
      ref.current?.querySelector<HTMLElement>('[data-undo]')?.focus()
  })
  const step = (go: (() => void) | undefined, said: string) =>
    go &&
    (() => {
      wasStepped.current = true
      go()
      say(said)
    })
  const undo = step(history.undo, words.undone(history.undoable - 1))
  const redo = step(history.redo, words.redone(history.redoable - 1))
  return {
    undo,
    redo,
    endStep: () => history.endStep(),
    change: (next: T) => {
      history.change(next, typedIn.current)
      typedIn.current = undefined
    },
    /** Of the field set. */
    fieldset: {
      ref,
      onKeyDown: (event: KeyboardEvent) => {
        const { key, ctrlKey, metaKey, altKey, shiftKey } = event
        if (!(isApple() ? metaKey : ctrlKey) || altKey || event.nativeEvent.isComposing) return
        const letter = key.toLowerCase()
        const isRedo = letter === 'y' ? !isApple() : shiftKey
        if (letter !== 'z' && !(letter === 'y' && isRedo)) return
        event.preventDefault()
        ;(isRedo ? redo : undo)?.()
      },
      onBlurCapture: () => history.endStep(),
      onChangeCapture: ({ target }: ChangeEvent) => {
        const types =
          target instanceof HTMLTextAreaElement ||
          (target instanceof HTMLInputElement && target.type === 'text')
        typedIn.current = types ? target : undefined
      },
    },
  }
}
