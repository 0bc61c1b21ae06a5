import type { KeyboardEvent as ReactKeyboardEvent } from 'react'

import { sharedText } from '../../messages/index.ts'

/** Returns whether shortcuts use Command instead of Control. */
export function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}

/** Returns the name of the key that shortcuts use on this machine. */
export function nameControlKey(): string {
  return isApple() ? '⌘' : sharedText.keys.control
}

/** Splits a shortcut into keys: "Mod+S" is Ctrl and S, or ⌘ and S; "g u" is two keys in sequence. */
export function splitShortcut(shortcut: string): readonly string[] {
  return shortcut.split(/[+ ]/).map((key) => (key === 'Mod' ? nameControlKey() : key))
}

/** Returns a key combination in the notation of `aria-keyshortcuts`. */
export function ariaKeys(shortcut: string): string {
  return shortcut.replace('Mod', isApple() ? 'Meta' : 'Control')
}

/**
 * Selector of elements without single-key shortcuts: they take typed letters, are a control of a form (somebody who
 * fills it in types), or belong to a menu or dialog, as the button does that opens it. A form itself is none: it has the focus once it is saved.
 */
const typing =
  'input, textarea, select, [contenteditable], [role="textbox"], [role="combobox"], [role="menu"], ' +
  '[role="listbox"], [role="dialog"], dialog, form *, [aria-haspopup][aria-expanded="true"]'

/** Whether what has the focus takes typed text. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable]')
}

/** Whether a key writes something, alone or together with the next one; a blank presses a button instead. */
export function isTyped(event: KeyPress): boolean {
  const { key, altKey, ctrlKey, metaKey } = event
  // Many keyboards type brackets with Option or AltGr, and some systems report AltGr as Control and Alt.
  const isWriting = event.getModifierState('AltGraph') || (isApple() && !ctrlKey)
  const isShortcut = metaKey || ((altKey || ctrlKey) && !isWriting)
  return !isShortcut && (key === 'Dead' || key === 'Process' || (key.length === 1 && key !== ' '))
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'> & {
  readonly getModifierState: (name: 'AltGraph') => boolean
}

/** Returns the character pressed as a page-wide shortcut: not typed into a field, nor part of a key combination. */
export function singleKeyOf(event: KeyboardEvent): string | undefined {
  const { key, target, isComposing } = event
  if (key.length !== 1 || !isTyped(event) || isComposing) return undefined
  if (!(target instanceof Element) || target.closest(typing)) return undefined
  // A dialog blocks the shortcuts of the page behind it.
  return document.querySelector('dialog[open], [role="dialog"]') ? undefined : key
}

type PressedKeys = Pick<ReactKeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** Returns whether Ctrl or ⌘ is pressed with Enter or S, which saves even from an input that handles Enter itself. */
export function isSaveKey({ key, altKey, ctrlKey, metaKey, shiftKey }: PressedKeys): boolean {
  return ctrlKey !== metaKey && !altKey && !shiftKey && (key === 'Enter' || key.toLowerCase() === 's')
}

/** Presses the submit button on the save key, unless it is disabled. The browser's save dialog never opens. */
export function pressBySaveKey(event: ReactKeyboardEvent<HTMLFormElement>) {
  if (!isSaveKey(event)) return
  event.preventDefault()
  if (!event.repeat) event.currentTarget.querySelector<HTMLElement>('[type="submit"]')?.click()
}
