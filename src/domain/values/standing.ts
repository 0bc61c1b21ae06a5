import type { PropertyValue } from '#contract/index.ts'

/**
 * How a preference stands at a moment: `ended` from the moment on at which it expires, `ahead` until it begins. A filter asks
 * for the same in the service.
 */
export function standingOf(
  { statusDate, expires }: PropertyValue['PREFERENCE'],
  nowMs: number,
): 'holds' | 'ended' | 'ahead' {
  if (expires !== undefined && Date.parse(expires) <= nowMs) return 'ended'
  return statusDate !== undefined && Date.parse(statusDate) > nowMs ? 'ahead' : 'holds'
}
