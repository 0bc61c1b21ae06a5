import type { KeyboardEvent } from 'react'

interface PressedKeys {
  readonly key: string
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}

/** Ctrl or ⌘ with Enter or S: to save, also out of an input that takes Enter for itself. */
export function isSaveKey({ key, altKey, ctrlKey, metaKey, shiftKey }: PressedKeys): boolean {
  return ctrlKey !== metaKey && !altKey && !shiftKey && (key === 'Enter' || key.toLowerCase() === 's')
}

/** Presses the submit button on the save key. If it is disabled nothing is sent; no dialog of the browser opens. */
export function pressBySaveKey(event: KeyboardEvent<HTMLFormElement>) {
  if (!isSaveKey(event)) return
  event.preventDefault()
  if (!event.repeat) event.currentTarget.querySelector<HTMLElement>('[type="submit"]')?.click()
}
