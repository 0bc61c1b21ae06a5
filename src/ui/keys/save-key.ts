import type { KeyboardEvent } from 'react'

type PressedKeys = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** Returns whether Ctrl or ⌘ is pressed with Enter or S, which saves even from an input that handles Enter itself. */
export function isSaveKey({ key, altKey, ctrlKey, metaKey, shiftKey }: PressedKeys): boolean {
  return ctrlKey !== metaKey && !altKey && !shiftKey && (key === 'Enter' || key.toLowerCase() === 's')
}

/**
 * Presses the submit button on the save key. If the button is disabled, nothing is sent. The browser's save dialog
 * never opens.
 */
export function pressBySaveKey(event: KeyboardEvent<HTMLFormElement>) {
  if (!isSaveKey(event)) return
  event.preventDefault()
  if (!event.repeat) event.currentTarget.querySelector<HTMLElement>('[type="submit"]')?.click()
}
