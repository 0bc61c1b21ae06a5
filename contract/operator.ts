import * as z from 'zod'

import { zonelessDatetime } from './common.ts'
import { readValue } from './property-value.ts'
import type { DataType, ValueIssue } from './property-value.ts'

/** Maximum number of values in one `in` or `not_in`. */
export const maxListedValues = 100

const always = ['exists', 'missing'] as const
const ofTexts = [
  'eq',
  'ne',
  'in',
  'not_in',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  ...always,
] as const
const ofNumbers = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'between', 'in', ...always] as const
const ofTimes = ['on', 'before', 'after', 'between', ...always] as const
const ofDates = [
  'on',
  'before',
  'after',
  'between',
  'within_last',
  'within_next',
  'older_than',
  'anniversary_within',
  ...always,
] as const
const ofRecords = ['eq', 'in', ...always] as const
const ofConsents = ['granted', 'not_granted', 'expired', 'expires_within'] as const
const ofPreferences = [...ofConsents, ...ofRecords] as const

export type Operator = (typeof ofTexts | typeof ofNumbers | typeof ofDates | typeof ofPreferences)[number]

const operators: Record<DataType, readonly Operator[]> = {
  BOOLEAN: ['eq', ...always],
  CURRENCY: ofNumbers,
  DATE: ofDates,
  DATETIME: ofDates,
  // A time of day has no year, so operators for age and anniversaries do not apply.
  TIME: ofTimes,
  DECIMAL: ofNumbers,
  EMAIL: ofTexts,
  NUMBER: ofNumbers,
  RELATIONSHIP: ofRecords,
  TEXT: ofTexts,
  URL: ofTexts,
  PREFERENCE: ofPreferences,
}

/** Returns the operators that a filter may use on a type, in the order in which to offer them. */
export function operatorsOf(type: DataType): readonly Operator[] {
  return operators[type]
}

/** Whether the operator requires the feature `filter.consents`. */
export function asksForConsent(operator: Operator): boolean {
  return (ofConsents as readonly Operator[]).includes(operator)
}

/** Whether the operator itself defines the result for a missing value. */
export function asksForPresence(operator: Operator): boolean {
  return (always as readonly Operator[]).includes(operator)
}

const ofSealed: ReadonlySet<Operator> = new Set(['granted', 'eq', 'ne', 'in', 'not_in', 'on', ...always])

/**
 * Returns the operators that work on sensitive values. Those are encrypted, so only tests for equality and presence
 * are possible.
 */
export function sealedOperatorsOf(type: DataType): readonly Operator[] {
  return operators[type].filter((operator) => ofSealed.has(operator))
}

/**
 * Shape of `value`: absent; one value of the type; a list of values; `[from, to]`, both inclusive; a fragment of text;
 * or an ISO 8601 duration. For DATE and DATETIME a value may also be `{"ago": …}` or `{"ahead": …}` with a duration.
 */
export type Operand = 'none' | 'value' | 'list' | 'range' | 'fragment' | 'duration'

const operands: Record<Operator, Operand> = {
  exists: 'none',
  missing: 'none',
  granted: 'none',
  not_granted: 'none',
  expired: 'none',
  eq: 'value',
  ne: 'value',
  lt: 'value',
  lte: 'value',
  gt: 'value',
  gte: 'value',
  on: 'value',
  before: 'value',
  after: 'value',
  in: 'list',
  not_in: 'list',
  between: 'range',
  contains: 'fragment',
  not_contains: 'fragment',
  starts_with: 'fragment',
  ends_with: 'fragment',
  within_last: 'duration',
  within_next: 'duration',
  older_than: 'duration',
  anniversary_within: 'duration',
  expires_within: 'duration',
}

export function operandOf(operator: Operator): Operand {
  return operands[operator]
}

export const allOperators = Object.keys(operands) as readonly Operator[]

/**
 * Parts of an ISO 8601 duration. `exact` if it names hours or smaller units, so that it means an exact span rather
 * than whole days.
 */
export interface Duration {
  readonly years: number
  readonly months: number
  readonly days: number
  readonly ms: number
  readonly exact: boolean
}

const durationPattern =
  /^P(?=.)(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,6})D)?(T(?=.)(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/

/** Reads an ISO 8601 duration of at most 1,000 years; undefined for anything else. */
export function readDuration(value: unknown): Duration | undefined {
  const match = typeof value === 'string' ? durationPattern.exec(value) : null
  if (!match) return undefined
  const [years = 0, months = 0, weeks = 0, days = 0, , hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number.parseInt(part ?? '0', 10))
  const duration = {
    years,
    months,
    days: weeks * 7 + days,
    ms: ((hours * 60 + minutes) * 60 + seconds) * 1000,
    exact: match[5] !== undefined,
  }
  const inYears = years + months / 12 + duration.days / 365 + duration.ms / 31_536_000_000
  return inYears <= 1000 ? duration : undefined
}

const relativeMoment = z.union([z.strictObject({ ago: z.string() }), z.strictObject({ ahead: z.string() })])

type Read = { readonly value: unknown; readonly issues?: never } | { readonly issues: readonly ValueIssue[] }

const wrong = (detail: string, ...path: PropertyKey[]): Read => ({ issues: [{ path, detail }] })

const durationRule = 'Write an ISO 8601 duration of at most 1,000 years, for example "P30D" or "P1Y".'

/** Says how to write a duration that is not read. Fractions are refused: half a month is no span that all agree on. */
export const wordDuration = (value: unknown, rule = durationRule): string =>
  typeof value === 'string' && /^P[\dYMWDTHS]*\d[.,]\d+[YMWDHS]$/.test(value)
    ? 'Write a duration in whole numbers of a smaller unit, for example "PT90M" or "P36M".'
    : rule

/**
 * Reads the `value` of a test. Returns its stored form, or the error. `zoneless` also accepts the format of a user's
 * `since` and `created`, which are UTC without a zone.
 */
export function readOperand(type: DataType, operator: Operator, value: unknown, zoneless = false): Read {
  const one = (item: unknown) => readOne(type, item, zoneless)
  switch (operands[operator]) {
    case 'none':
      return value === undefined || value === null
        ? { value: undefined }
        : wrong(`"${operator}" takes no value: leave it out.`)
    case 'value':
      return one(value)
    case 'fragment':
      return typeof value === 'string' && value !== ''
        ? readValue('TEXT', value)
        : wrong('Give at least one character of text.')
    case 'duration':
      return readSpan(type, operator, value)
    case 'list':
      if (!Array.isArray(value) || value.length === 0 || value.length > maxListedValues)
        return wrong(`Give a list of 1 to ${maxListedValues} values.`)
      return readAll(value, one)
    case 'range': {
      if (!Array.isArray(value) || value.length !== 2)
        return wrong('Give two values, [from, to]; both are included.')
      const range = readAll(value, one)
      return range.issues ? range : checkRange(type, range.value as readonly [unknown, unknown])
    }
  }
}

function readAll(values: readonly unknown[], one: (item: unknown) => Read): Read {
  const read = values.map(one)
  const issues = read.flatMap((item, index) =>
    (item.issues ?? []).map(({ path, detail }) => ({ path: [index, ...path], detail })),
  )
  return issues.length > 0 ? { issues } : { value: read.map((item) => (item as { value: unknown }).value) }
}

function readOne(type: DataType, value: unknown, zoneless: boolean): Read {
  if (value === undefined) return wrong('This test needs a value.')
  if (value === null) return wrong('Use "missing" to look for no value.')
  if (type !== 'DATE' && type !== 'DATETIME') return readValue(type, value)
  const relative = relativeMoment.safeParse(value)
  if (relative.success) {
    const [[direction, span] = []] = Object.entries(relative.data)
    const read = readSpan(type, undefined, span)
    return read.issues
      ? wrong(read.issues[0]?.detail ?? durationRule, String(direction))
      : { value: relative.data }
  }
  const direction = ['ago', 'ahead'].find((name) => typeof value === 'object' && name in value)
  if (direction !== undefined)
    return wrong(`Give {"${direction}":"P30D"} alone, with an ISO 8601 duration.`, direction)
  if (type === 'DATE') return readValue('DATE', value)
  if (zoneless && zonelessDatetime.safeParse(value).success)
    return { value: `${zonelessDatetime.parse(value)}Z` }
  const day = readValue('DATE', value)
  return day.issues ? readValue('DATETIME', value) : day
}

function readSpan(type: DataType, operator: Operator | undefined, value: unknown): Read {
  const duration = readDuration(value)
  if (!duration) return wrong(wordDuration(value))
  if (duration.exact && (type === 'DATE' || operator === 'anniversary_within'))
    return wrong('Only whole days count here: use days, weeks, months or years, for example "P30D".')
  if (
    operator === 'anniversary_within' &&
    duration.years * 365 + duration.months * 30.5 + duration.days > 366
  )
    return wrong('An anniversary comes round within a year: at most "P1Y".')
  return { value }
}

function checkRange(type: DataType, [from, to]: readonly [unknown, unknown]): Read {
  if (type === 'CURRENCY') {
    const [low, high] = [from, to] as { currency: string; value: string }[]
    if (low?.currency !== high?.currency)
      return wrong('Amounts compare within one currency: give the same one twice.')
  }
  const [low, high] = [from, to].map(magnitude)
  // Moments in different forms (a day and an instant, or relative ones) can only be compared when the filter is
  // evaluated.
  const reversed =
    typeof low === 'number' && typeof high === 'number'
      ? low > high
      : typeof low === 'string' && typeof high === 'string' && low.length === high.length && low > high
  return reversed ? wrong('The range ends before it starts: give [from, to].') : { value: [from, to] }
}

/** Returns moments as text and numbers as doubles, which miss a range reversed by less than their precision. */
function magnitude(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'value' in value) return Number(value.value)
  return typeof value === 'string' && /^-?[\d.]+$/.test(value) ? Number(value) : value
}
