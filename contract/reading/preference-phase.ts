import type { PropertyValue } from '../property-value.ts'

/** `future` until it begins, `ended` from its expiry on: the rule of the service's filters. */
export function preferencePhase(
  { statusDate, expires }: PropertyValue['PREFERENCE'],
  nowMs: number,
): 'current' | 'ended' | 'future' {
  if (expires !== undefined && Date.parse(expires) <= nowMs) return 'ended'
  return statusDate !== undefined && Date.parse(statusDate) > nowMs ? 'future' : 'current'
}
