import type { PropertyValue } from '#contract/index.ts'

/**
 * Returns the phase of a preference at a moment: `future` until it begins, `ended` from its expiry on. The service's
 * filters use the same rule.
 */
export function preferencePhase(
  { statusDate, expires }: PropertyValue['PREFERENCE'],
  nowMs: number,
): 'current' | 'ended' | 'future' {
  if (expires !== undefined && Date.parse(expires) <= nowMs) return 'ended'
  return statusDate !== undefined && Date.parse(statusDate) > nowMs ? 'future' : 'current'
}
