import type { KeyboardEvent } from 'react'

interface Keys {
  readonly key: string
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}

/** Ctrl or ⌘ with Enter or S: to save, also out of an input that takes Enter for itself. */
export function isSaveKey({ key, altKey, ctrlKey, metaKey, shiftKey }: Keys): boolean {
  return ctrlKey !== metaKey && !altKey && !shiftKey && (key === 'Enter' || key.toLowerCase() === 's')
}

/** Where the button cannot be pressed, nothing is sent; the browser's own dialog is not what was asked for either. */
export function pressBySaveKey(event: KeyboardEvent<HTMLFormElement>) {
  if (!isSaveKey(event)) return
  event.preventDefault()
  if (!event.repeat) event.currentTarget.querySelector<HTMLElement>('[type="submit"]')?.click()
}
