import { isApple, nameControlKey } from './platform.ts'

/** Keys with what stands for `Mod` on this machine: "Mod+S" are Ctrl and S, or ⌘ and S; "g u" are two, one after the other. */
export function splitShortcut(shortcut: string): readonly string[] {
  return shortcut.split(/[+ ]/).map((key) => (key === 'Mod' ? nameControlKey() : key))
}

/** Returns a combination of keys in the notation of `aria-keyshortcuts`. */
export function ariaKeys(shortcut: string): string {
  return shortcut.replace('Mod', isApple() ? 'Meta' : 'Control')
}
