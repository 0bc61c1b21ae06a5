import { type KeyboardEvent, useEffect, useState } from 'react'

/**
 * Which option of a list the arrow keys or the pointer have gone to, while the focus stays in a field of text. It stays
 * the one when other options arrive, which Mantine's Combobox, marking it in the document alone, does not do.
 */
export function usePointed<Option>(options: readonly Option[], idOf: (option: Option) => string) {
  const [pointedAt, setPointedAt] = useState<string>()
  return {
    isPointed: pointedAt !== undefined,
    /** Undefined too where the option that was pointed at has gone. */
    pointed: options.find((option) => idOf(option) === pointedAt),
    point: (option: Option | undefined) => setPointedAt(option && idOf(option)),
    /** From the active option, and round at the ends. */
    move: (step: 1 | -1, active: Option | undefined) => {
      const at = active ? options.indexOf(active) : step === 1 ? -1 : 0
      const next = options.at((at + step) % options.length)
      setPointedAt(next && idOf(next))
    },
  }
}

/** Keeps the option with this id of an element in view. */
export function useInView(elementId: string | undefined) {
  useEffect(() => {
    if (elementId !== undefined) document.getElementById(elementId)?.scrollIntoView({ block: 'nearest' })
  }, [elementId])
}

/** A key that belongs to the writing of a letter. 229: Safari ends a composition before the Enter that ended it. */
export function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || nativeEvent.keyCode === 229
}
