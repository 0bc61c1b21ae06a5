import { isOlderConsent, type Property } from '#contract/index.ts'

/**
 * Whether a value of a type is a consent that is older than the stored one with another status. A hidden one may be
 * later than any date that has passed.
 */
export function mayUndoLater(
  type: string | undefined,
  given: unknown,
  stored: Pick<Property, 'type' | 'value'> | undefined,
): boolean {
  if (type !== 'PREFERENCE' || stored?.type !== type) return false
  return stored.value === undefined ? isPast(given) : isOlderConsent(given, stored.value)
}

const isPast = (given: unknown) =>
  Date.parse(String((given as { statusDate?: string } | null)?.statusDate)) < Date.now()
