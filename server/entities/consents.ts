import { type DataType, isOlderConsent, type PropertyValue } from '#contract/index.ts'
import type { Writing } from '../changesets/record.ts'

type Consent = PropertyValue['PREFERENCE']

/** A consent as it may be stored: an earlier release, or another way than the API, may have left out its date. */
type StoredConsent = Pick<Consent, 'status'> & {
  readonly [Member in 'statusDate' | 'expires']?: string | null
}

/** A given value as it is to be stored. */
export interface Weighed {
  readonly value: unknown
  /** Whether the given one is older than the stored one, with another status, so that the stored one stays. */
  readonly isLeft?: boolean
}

interface Typed {
  readonly type: DataType
  readonly value: unknown
}

/** Whether a given value is a consent that is weighed against a stored one, so that the write may keep that one. */
export const isWeighed = (type: DataType, given: unknown, old: Typed | undefined): boolean =>
  type === 'PREFERENCE' && given !== null && old?.type === 'PREFERENCE'

/**
 * Weighs a given value against the stored one if both are consents. A status without a date that is stored already
 * keeps its date and its end; any other is dated `saidAt`. Without a stored date nothing is older, and neither is what
 * is said now, even if the stored date lies ahead (docs/decisions/0053-consents-in-time.md).
 */
export function weighConsent(
  type: DataType,
  given: unknown,
  old: Typed | undefined,
  { saidAt = new Date().toISOString(), olderConsents }: Pick<Writing, 'saidAt' | 'olderConsents'>,
): Weighed {
  if (type !== 'PREFERENCE' || given === null) return { value: given }
  const { status, statusDate, expires } = given as Consent
  const end = expires === undefined ? {} : { expires }
  const stored = isWeighed(type, given, old) ? (old?.value as StoredConsent | null) : null
  if (stored?.status === status && statusDate === undefined) return { value: { ...stored, ...end } }
  const value = { status, statusDate: statusDate ?? saidAt, ...end }
  if (olderConsents === 'store' || !isOlderConsent(value, stored)) return { value }
  const isAhead = statusDate === undefined && Date.parse(stored?.statusDate ?? '') > Date.now()
  return isAhead ? { value } : { value: stored, isLeft: true }
}
