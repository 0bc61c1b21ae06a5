import { isApple } from './platform.ts'

/** Selector of elements that take typed letters, in which single-key shortcuts are inactive. */
const typing = 'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="dialog"]'

/**
 * Returns the character that was pressed as a page-wide shortcut: not typed into a field, and not part of a key
 * combination.
 */
export function singleKeyOf(event: KeyboardEvent): string | undefined {
  const { key, target, altKey, ctrlKey, metaKey, isComposing } = event
  // Many keyboards type brackets with Option or AltGr, and some systems report AltGr as Control and Alt.
  const isWriting = event.getModifierState('AltGraph') || (isApple() && !ctrlKey)
  const isShortcut = metaKey || ((altKey || ctrlKey) && !isWriting)
  if (key.length !== 1 || key === ' ' || isShortcut || isComposing) return undefined
  if (!(target instanceof Element) || target.closest(typing)) return undefined
  // A dialog blocks the shortcuts of the page behind it.
  return document.querySelector('dialog[open], [role="dialog"]') ? undefined : key
}
