/** Tells whether shortcuts use Command instead of Control. */
export function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}
