import { isApple } from './platform.ts'

/** Selector of elements in which letters are typed, so that single keys do nothing else there. */
const typing = 'input, textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="dialog"]'

/** The character that was pressed for the page as a whole: not typed somewhere, not part of a shortcut. */
export function singleKeyOf(event: KeyboardEvent): string | undefined {
  const { key, target, altKey, ctrlKey, metaKey, isComposing } = event
  // Many keyboards write brackets with Option, or with AltGr, which is Control and Alt to some systems.
  const isWriting = event.getModifierState('AltGraph') || (isApple() && !ctrlKey)
  const isShortcut = metaKey || ((altKey || ctrlKey) && !isWriting)
  if (key.length !== 1 || key === ' ' || isShortcut || isComposing) return undefined
  if (!(target instanceof Element) || target.closest(typing)) return undefined
  // Over a dialog the page is out of reach.
  return document.querySelector('dialog[open], [role="dialog"]') ? undefined : key
}
