import { isApple, nameControlKey } from './platform.ts'

/**
 * Splits a shortcut into its keys and resolves `Mod` for this machine: "Mod+S" is Ctrl and S, or ⌘ and S; "g u" is two
 * keys in sequence.
 */
export function splitShortcut(shortcut: string): readonly string[] {
  return shortcut.split(/[+ ]/).map((key) => (key === 'Mod' ? nameControlKey() : key))
}

/** Returns a key combination in the notation of `aria-keyshortcuts`. */
export function ariaKeys(shortcut: string): string {
  return shortcut.replace('Mod', isApple() ? 'Meta' : 'Control')
}
