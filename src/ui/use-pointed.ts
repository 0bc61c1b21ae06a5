import { type KeyboardEvent, useEffect, useState } from 'react'

/**
 * Tracks the option of a list that the arrow keys or the pointer selected while a text field keeps the focus. The
 * option stays selected when other options arrive. Mantine's Combobox cannot do so, because it stores the selection
 * only in the DOM.
 */
export function usePointed<Option>(options: readonly Option[], idOf: (option: Option) => string) {
  const [pointedAt, setPointedAt] = useState<string>()
  return {
    isPointed: pointedAt !== undefined,
    /** Option pointed at; undefined if there is none or if it has disappeared. */
    pointed: options.find((option) => idOf(option) === pointedAt),
    point: (option: Option | undefined) => setPointedAt(option && idOf(option)),
    move: (step: 1 | -1, active: Option | undefined) => {
      const at = active ? options.indexOf(active) : step === 1 ? -1 : 0
      const next = options.at((at + step) % options.length)
      setPointedAt(next && idOf(next))
    },
  }
}

export function useInView(elementId: string | undefined) {
  useEffect(() => {
    if (elementId !== undefined) document.getElementById(elementId)?.scrollIntoView({ block: 'nearest' })
  }, [elementId])
}

/** Whether a key belongs to an IME composition. Safari ends one before its last Enter, which has key code 229. */
export function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || nativeEvent.keyCode === 229
}
