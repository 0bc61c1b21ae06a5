import type { PropertyValue } from '#contract/index.ts'

/**
 * Phase of a preference at a moment: `ended` from the moment on at which it expires, `future` until it begins. A filter asks
 * for the same in the service.
 */
export function preferencePhase(
  { statusDate, expires }: PropertyValue['PREFERENCE'],
  nowMs: number,
): 'current' | 'ended' | 'future' {
  if (expires !== undefined && Date.parse(expires) <= nowMs) return 'ended'
  return statusDate !== undefined && Date.parse(statusDate) > nowMs ? 'future' : 'current'
}
