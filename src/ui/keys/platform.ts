import { sharedText } from '../../messages/index.ts'

/** Returns whether shortcuts use Command instead of Control. */
export function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}

/** Returns the name of the key that shortcuts use on this machine. */
export function nameControlKey(): string {
  return isApple() ? '⌘' : sharedText.keys.control
}
