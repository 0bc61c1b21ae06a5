import type { PropertyValue } from '#contract/index.ts'
import { canonical, type StoredProperties, type StoredProperty } from '../entities/properties.ts'
import type { NewEntity } from './bulk.ts'
import { pick, type Random, whole } from './random.ts'

/** A change to an entity after its creation. */
export interface Step {
  readonly msecs: number
  /** Returns the properties before this step, given those after it. */
  readonly undo: (after: StoredProperties) => StoredProperties
  readonly actor: string
  readonly reason?: string | undefined
}

/** A read of sensitive values, or a comparison of one with a caller's statement. */
export interface Reading {
  readonly type: 'SENSITIVE_DATA_ACCESSED' | 'SENSITIVE_DATA_CHECKED'
  readonly msecs: number
  readonly actor: string
  readonly keys: readonly string[]
  readonly reason: string
}

const whyCorrected = [
  'Corrected on the phone.',
  'Asked for by e-mail.',
  'Typing mistake in the form of the branch.',
  'Compared with the registration document.',
] as const
const whyMistaken = ['Caller gave a new value.', 'Taken from the list of the branch.'] as const
const whyPutBack = ['Belonged to another user: restored.', 'Restored: the list was an old one.'] as const
const whyConsent = {
  GRANTED: ['Signed the form at the counter.', 'Said yes on the phone, after the autumn fair.'],
  REVOKED: ['Unsubscribed by the link in the newsletter.', 'Wants no more letters from us, by e-mail.'],
  DENIED: ['Ticked no in the form.', 'Said no on the phone.'],
} as const
const whyRead = [
  'Delivery failed: calling the customer.',
  'Refund: account compared with the bank’s letter.',
  'The customer asked what we hold about them.',
  'Insurance asked which car the claim is about.',
] as const
const whyChecked = ['Caller says who they are.', 'Before the delivery address was changed.'] as const

/**
 * Returns the steps from the entity's creation to today: corrections, mistakes that were undone, consents that were
 * given and withdrawn.
 */
export function stepsOf(random: Random, { properties }: NewEntity, from: number, today: number): Step[] {
  const later = (start: number) => Math.floor(start + random() * (today - start))
  const steps: Step[] = []
  for (let left = random() < 0.3 ? whole(random, 1, 3) : 0; left > 0; left--)
    steps.push({
      msecs: later(from),
      undo: (after) => earlierProperties(random, after),
      actor: pick(random, ['steward', 'admin']),
      reason: random() < 0.5 ? pick(random, whyCorrected) : undefined,
    })
  if (random() < 0.05) steps.push(...mistake(random, properties, later(from), later))
  const consent = properties['newsletter']?.value as PropertyValue['PREFERENCE'] | null | undefined
  if (consent) steps.push(...consents(random, from, consent))
  return steps
}

/** Returns the steps of a mistake: one actor overwrites a value, another restores it. */
function mistake(
  random: Random,
  properties: StoredProperties,
  msecs: number,
  later: (start: number) => number,
): Step[] {
  const [first, ...others] = Object.entries(properties).filter(([, { value }]) => typeof value === 'string')
  if (!first) return []
  const [key, property] = pick(random, [first, ...others])
  const value = earlierValue(random, property)
  if (value === undefined || value === null) return []
  const as = (given: unknown) => (after: StoredProperties) =>
    Object.hasOwn(after, key) ? { ...after, [key]: { ...property, value: given } } : after
  return [
    { msecs, undo: as(property.value), actor: 'admin', reason: pick(random, whyMistaken) },
    { msecs: later(msecs), undo: as(value), actor: 'steward', reason: pick(random, whyPutBack) },
  ]
}

/** Returns the steps that led to a consent, each on the date that its value contains. */
function consents(random: Random, from: number, latest: PropertyValue['PREFERENCE']): Step[] {
  const { status, statusDate } = latest
  const msecs = Date.parse(statusDate ?? '')
  if (!(msecs > from)) return []
  const step = { msecs, actor: 'steward', reason: pick(random, whyConsent[status]) }
  const isFirst = status === 'DENIED' || (status === 'GRANTED' && random() < 0.5)
  if (isFirst) return [{ ...step, undo: withoutConsent }]
  const before = random() < 0.4 ? Math.floor(from + random() * (msecs - from)) : from
  const earlier: PropertyValue['PREFERENCE'] = {
    status: status === 'REVOKED' ? 'GRANTED' : 'REVOKED',
    statusDate: new Date(before).toISOString(),
  }
  const undo = ({ newsletter, ...others }: StoredProperties) =>
    newsletter ? { ...others, newsletter: { ...newsletter, value: earlier } } : others
  return [{ ...step, undo }, ...consents(random, from, earlier)]
}

function withoutConsent(after: StoredProperties): StoredProperties {
  const { newsletter: _, ...others } = after
  return others
}

/** Returns reads and comparisons of an entity's sensitive values since its last change, with reasons. */
export function readingsOf(
  random: Random,
  { properties }: NewEntity,
  since: number,
  today: number,
): Reading[] {
  const [first, ...others] = Object.entries(properties)
    .filter(([, { sensitive, value }]) => sensitive && value !== null)
    .map(([key]) => key)
  if (first === undefined || random() > 0.08) return []
  return Array.from({ length: whole(random, 1, 3) }, () => {
    const isChecked = random() < 0.3
    return {
      type: isChecked ? 'SENSITIVE_DATA_CHECKED' : 'SENSITIVE_DATA_ACCESSED',
      msecs: Math.floor(since + random() * (today - since)),
      actor: isChecked ? 'support' : pick(random, ['steward', 'steward', 'admin']),
      keys: [pick(random, [first, ...others])],
      reason: pick(random, isChecked ? whyChecked : whyRead),
    }
  })
}

/** Returns the properties before one of them was added or corrected. */
function earlierProperties(random: Random, now: StoredProperties): StoredProperties {
  // A consent has its own history.
  const [first, ...others] = Object.entries(now).filter(([, { type }]) => type !== 'PREFERENCE')
  if (!first) return now
  const [key, property] = pick(random, [first, ...others])
  const { [key]: _, ...rest } = now
  const value = earlierValue(random, property)
  return value === undefined || canonical(value) === canonical(property.value)
    ? rest
    : { ...rest, [key]: { ...property, value } }
}

/** Returns an earlier value; undefined if the property did not exist. */
function earlierValue(random: Random, { type, value }: StoredProperty): unknown {
  if (typeof value === 'number') return Math.floor(value * (0.3 + random() * 0.6))
  if (typeof value === 'boolean') return !value
  if (type === 'TEXT' && typeof value === 'string' && /\d/.test(value))
    return value.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + whole(random, 1, 9)) % 10))
  if (type === 'DATE' || type === 'DATETIME' || type === 'CURRENCY') return null
  return undefined
}
