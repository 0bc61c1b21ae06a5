import type { User } from '#contract/index.ts'

/** Returns the property that a search found the user by, such as `plate: AB-123-CD`; undefined if there is none. */
export function matchedValue({ matched }: User): string | undefined {
  if (typeof matched !== 'object' || matched === null || !('key' in matched) || !('value' in matched))
    return undefined
  const { key, value } = matched
  const isShown = typeof key === 'string' && (typeof value === 'string' || typeof value === 'number')
  return isShown ? `${key}: ${value}` : undefined
}
