import {
  type DataType,
  type Duration,
  type Filter,
  fold,
  type Judged,
  type Operator,
  type PropertyTest,
  readDuration,
  type UserField,
  type UserTest,
} from '#contract/index.ts'
import { blindTerms } from '../sealing/blind-index.ts'
import type { StoredFilter } from './filter-sql.ts'
import type { Clock } from './moments.ts'
import { soughtValues } from './sealed-test.ts'

// The meaning of a filter said a second time, in plain TypeScript and on one user: it explains why somebody is in a
// segment, and a test holds it against the SQL that finds them all. On purpose it shares nothing with that SQL: days are
// compared as local calendar days here, and as spans of instants there.

type Properties = Readonly<
  Record<
    string,
    {
      readonly type: string
      readonly sensitive?: boolean
      readonly value?: unknown
      /** Of a sealed value, see blind-index.ts. */
      readonly blind?: readonly string[]
    }
  >
>

/** One user with everything that a filter can look at. */
export interface Subject {
  /** As stored; `since` and `created` zone-less UTC. */
  readonly user: Readonly<Record<UserField, string | boolean | null>>
  readonly entities: readonly {
    readonly id: string
    readonly type: string
    readonly properties: Properties
  }[]
}

export interface JudgeContext extends Clock {
  /** Every segment that the filter refers to, directly or through another, by id. */
  readonly segments: ReadonlyMap<string, StoredFilter>
  /** Of the blind index, by which sealed values are told apart. */
  readonly indexKey: () => Buffer
}

/** Longer texts are cut where they are shown: a segment may test one property of a thousand entities fifty times. */
const longestShown = 1000

function shown(actual: unknown): unknown {
  return typeof actual === 'string' && actual.length > longestShown
    ? `${actual.slice(0, longestShown).toWellFormed()}…`
    : actual
}

export function judge(filter: Filter, subject: Subject, context: JudgeContext): Judged {
  return judged(filter, subject, context, [])
}

function judged(filter: Filter, subject: Subject, context: JudgeContext, path: readonly string[]): Judged {
  const inner = (part: Filter) => judged(part, subject, context, path)
  if ('all' in filter) {
    const all = filter.all.map(inner)
    return { all, pass: all.every(({ pass }) => pass) }
  }
  if ('any' in filter) {
    const any = filter.any.map(inner)
    return { any, pass: any.some(({ pass }) => pass) }
  }
  if ('not' in filter) {
    const not = inner(filter.not)
    return { not, pass: !not.pass }
  }
  if ('segment' in filter) {
    const { segment } = filter
    const used = context.segments.get(segment)
    // Neither can be stored; if the data was changed by other means, such a segment has no members.
    if (!used || path.includes(segment)) return { segment, pass: false }
    const is = judged(used.filter, subject, { ...context, tz: used.tz ?? 'UTC' }, [...path, segment])
    return { segment, is, pass: is.pass }
  }
  if ('user' in filter) {
    const actual = subject.user[filter.user]
    return {
      ...filter,
      ...(actual !== null && { actual: shown(actual) }),
      pass: userPasses(filter, actual, context),
    }
  }
  const { entity, where = [], min = 1 } = filter
  const entities = subject.entities.filter(({ type }) => type === entity)
  const judgedOnes = entities.map(({ id, properties }) => {
    const tests = where.map((test) => judgedTest(test, properties, context))
    return { id, where: tests, pass: tests.every(({ pass }) => pass) }
  })
  return { ...filter, entities: judgedOnes, pass: judgedOnes.filter(({ pass }) => pass).length >= min }
}

function judgedTest(test: PropertyTest, properties: Properties, context: JudgeContext) {
  const property = Object.hasOwn(properties, test.key) ? properties[test.key] : undefined
  const fits = property?.type === test.type ? property : undefined
  const actual = fits?.value ?? undefined
  const pass = fits?.blind?.length
    ? sealedPasses(test, fits.blind, context)
    : propertyPasses(test, actual, context)
  if (property?.sensitive === true) return { ...test, masked: true, pass }
  return { ...test, ...(actual !== undefined && { actual: shown(actual) }), pass }
}

function userPasses({ user, op, value }: UserTest, actual: string | boolean | null, clock: Clock): boolean {
  if (op === 'exists') return actual !== null
  if (op === 'missing') return actual === null
  if (actual === null) return false
  if (user === 'account') return actual === value
  if (user === 'since' || user === 'created') return momentPasses('DATETIME', `${actual}Z`, op, value, clock)
  return textPasses(String(actual), op, value)
}

function propertyPasses(test: PropertyTest, actual: unknown, clock: Clock): boolean {
  const { type, op, value, orMissing = false } = test
  if (op === 'exists') return actual !== undefined
  if (op === 'missing') return actual === undefined
  return actual === undefined ? orMissing : valuePasses(type, actual, op, value, clock)
}

/** A value that is not seen here: equal to what is sought, or not; any other test of it fails. */
function sealedPasses(test: PropertyTest, blind: readonly string[], context: JudgeContext): boolean {
  const { key, type, op } = test
  if (op === 'exists' || op === 'missing') return op === 'exists'
  const found = soughtValues(test, context)?.some((value) => {
    const whole = blindTerms(context.indexKey(), key, type, value).at(-1)
    return whole !== undefined && blind.includes(whole)
  })
  return op === 'ne' || op === 'not_in' ? found === false : found === true
}

function valuePasses(type: DataType, actual: unknown, op: Operator, value: unknown, clock: Clock): boolean {
  switch (type) {
    case 'TEXT':
    case 'EMAIL':
    case 'URL':
      return typeof actual === 'string' && textPasses(actual, op, value)
    case 'NUMBER':
      return typeof actual === 'number' && numberPasses(exact(actual), op, value)
    case 'DECIMAL':
      // One that was stored as a number, by other means than the API, counts as what it says.
      return numberPasses(exact(actual), op, value)
    case 'CURRENCY':
      return amountPasses(actual, op, value)
    case 'DATE':
    case 'DATETIME':
    case 'TIME':
      return typeof actual === 'string' && momentPasses(type, actual, op, value, clock)
    case 'BOOLEAN':
      return actual === value
    case 'RELATIONSHIP':
    case 'PREFERENCE':
      return op === 'in' ? (value as unknown[]).some((each) => holds(actual, each)) : holds(actual, value)
  }
}

type Test<Subject> = (subject: Subject, value: unknown) => boolean
type Tests<Subject> = Partial<Record<Operator, Test<Subject>>>

function holdsFor<Subject>(tests: Tests<Subject>, op: Operator, subject: Subject, value: unknown): boolean {
  const test = tests[op]
  if (!test) throw new Error(`A stored filter holds "${op}" where it does not apply.`)
  return test(subject, value)
}

const folded = (value: unknown) => fold(value as string)
const isListed: Test<string> = (subject, values) =>
  (values as unknown[]).some((each) => folded(each) === subject)

/** On folded text. */
const textTests: Tests<string> = {
  eq: (subject, value) => subject === folded(value),
  ne: (subject, value) => subject !== folded(value),
  in: isListed,
  not_in: (subject, values) => !isListed(subject, values),
  contains: (subject, part) => subject.includes(folded(part)),
  not_contains: (subject, part) => !subject.includes(folded(part)),
  starts_with: (subject, part) => subject.startsWith(folded(part)),
  ends_with: (subject, part) => subject.endsWith(folded(part)),
}

const textPasses = (actual: string, op: Operator, value: unknown) =>
  holdsFor(textTests, op, folded(actual), value)

/** A decimal number without rounding: `digits` in units of 10^-`scale`. */
interface Exact {
  readonly digits: bigint
  readonly scale: number
}

function exact(value: unknown): Exact | undefined {
  const text = typeof value === 'number' ? plain(value) : value
  if (typeof text !== 'string' || text.length >= 400 || !/^-?\d+(\.\d+)?$/.test(text)) return undefined
  const [whole = '', fraction = ''] = text.split('.')
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

/** The shortest text of a double, without an exponent. */
function plain(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e')
  if (exponent === undefined) return mantissa
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const point = whole.length + Number(exponent)
  const digits = whole + fraction
  const text =
    point <= 0
      ? `0.${'0'.repeat(-point)}${digits}`
      : point >= digits.length
        ? digits + '0'.repeat(point - digits.length)
        : `${digits.slice(0, point)}.${digits.slice(point)}`
  return (value < 0 ? '-' : '') + text
}

/** Below 0: less than the value of a filter. */
function order(subject: Exact, value: unknown): number {
  const other = exact(value)
  if (!other) throw new Error('A stored filter holds what is no number.')
  const scale = Math.max(subject.scale, other.scale)
  const raised = ({ digits, scale: own }: Exact) => digits * 10n ** BigInt(scale - own)
  const difference = raised(subject) - raised(other)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

const numberTests: Tests<Exact> = {
  eq: (subject, value) => order(subject, value) === 0,
  ne: (subject, value) => order(subject, value) !== 0,
  lt: (subject, value) => order(subject, value) < 0,
  lte: (subject, value) => order(subject, value) <= 0,
  gt: (subject, value) => order(subject, value) > 0,
  gte: (subject, value) => order(subject, value) >= 0,
  in: (subject, values) => (values as unknown[]).some((each) => order(subject, each) === 0),
  between: (subject, range) => {
    const [from, until] = range as [unknown, unknown]
    return order(subject, from) >= 0 && order(subject, until) <= 0
  },
}

const numberPasses = (actual: Exact | undefined, op: Operator, value: unknown) =>
  actual !== undefined && holdsFor(numberTests, op, actual, value)

interface Amount {
  readonly currency: string
  readonly value: string
}

function amountPasses(actual: unknown, op: Operator, value: unknown): boolean {
  const { currency, value: text } = (typeof actual === 'object' ? actual : {}) as Partial<Amount>
  const amount = exact(text)
  const same = (other: Amount) => other.currency === currency
  if (op === 'in')
    return (value as Amount[]).some((each) => same(each) && numberPasses(amount, 'eq', each.value))
  if (op === 'between') {
    const [from, until] = value as [Amount, Amount]
    return same(from) && numberPasses(amount, op, [from.value, until.value])
  }
  const other = value as Amount
  // An amount in another currency is neither less nor more, and not equal.
  if (!same(other)) return op === 'ne' && amount !== undefined
  return numberPasses(amount, op, other.value)
}

/** The value has every member that the filter names, with the same content. */
function holds(actual: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return actual === wanted
  if (typeof actual !== 'object' || actual === null) return false
  return Object.entries(wanted).every(
    ([name, part]) => Object.hasOwn(actual, name) && holds((actual as Record<string, unknown>)[name], part),
  )
}

// Moments. A stored DATE, DATETIME or TIME has a fixed form, so equal kinds compare as texts.

type MomentType = 'DATE' | 'DATETIME' | 'TIME'

/** A stored moment beside the clock that a filter is judged by. */
interface Moment {
  readonly type: MomentType
  readonly text: string
  readonly clock: Clock
  /** Today, or now. */
  readonly present: string
}

function momentPasses(type: MomentType, actual: string, op: Operator, value: unknown, clock: Clock): boolean {
  const text = type === 'TIME' ? fullTime(actual) : actual
  if (text === undefined || !isMoment(type, text)) return false
  const now = clock.now.toISOString()
  const present = type === 'DATE' ? localDay(now, clock.tz) : now
  return holdsFor(momentTests, op, { type, text, clock, present }, value)
}

const momentTests: Tests<Moment> = {
  on: (moment, value) => position(moment, value) === 0,
  before: (moment, value) => position(moment, value) < 0,
  after: (moment, value) => position(moment, value) > 0,
  between: (moment, range) => {
    const [from, until] = range as [unknown, unknown]
    return position(moment, from) >= 0 && position(moment, until) <= 0
  },
  within_last: (moment, ago) => position(moment, { ago }) >= 0 && moment.text <= moment.present,
  within_next: (moment, ahead) => position(moment, { ahead }) <= 0 && moment.text >= moment.present,
  older_than: (moment, ago) => position(moment, { ago }) < 0,
  anniversary_within: ({ type, text, clock }, span) => {
    const today = localDay(clock.now.toISOString(), clock.tz)
    const day = type === 'DATE' ? text : localDay(text, clock.tz)
    // The day itself is no anniversary yet.
    return day < today && comesRound(day.slice(5), today, moved(today, durationOf(span), 1))
  },
}

/** Below 0: the moment lies before the bound; 0: on it, which for a day is anywhere within it. */
function position({ type, text, clock }: Moment, bound: unknown): number {
  const by = (a: string, b: string | undefined) => (a < (b ?? '') ? -1 : a > (b ?? '') ? 1 : 0)
  if (typeof bound === 'string') {
    if (type === 'TIME') return by(text, fullTime(bound))
    if (type === 'DATE' || bound.length > 10) return by(text, instantText(bound))
    return by(localDay(text, clock.tz), bound)
  }
  const [[direction, span] = ['', '']] = Object.entries(bound as Record<string, string>)
  const duration = durationOf(span)
  const sign = direction === 'ago' ? -1 : 1
  const now = clock.now.toISOString()
  if (duration.exact) return by(text, moved(now, duration, sign))
  const day = moved(localDay(now, clock.tz), duration, sign)
  return by(type === 'DATE' ? text : localDay(text, clock.tz), day)
}

/** Whether a day of the year falls on one of the days from `first` to `last`; 29 February on the 28th where there is none. */
function comesRound(day: string, first: string, last: string): boolean {
  for (let each = first; each <= last; each = nextDay(each)) {
    if (each.slice(5) === day) return true
    if (day === '02-29' && each.endsWith('-02-28') && !nextDay(each).endsWith('-29')) return true
  }
  return false
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
}

function isMoment(type: MomentType, text: string): boolean {
  if (type === 'TIME') return /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}$/.test(text)
  const full = type === 'DATE' ? `${text}T00:00:00.000Z` : text
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(full) ? Date.parse(full) : Number.NaN
  // The 30th of February is the 1st of March to Date.
  return !Number.isNaN(at) && new Date(at).toISOString() === full
}

function fullTime(text: string): string | undefined {
  const [, hours, minutes, seconds = '00', milliseconds = '000'] =
    /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{3}))?)?$/.exec(text) ?? []
  return hours === undefined ? undefined : `${hours}:${minutes}:${seconds}.${milliseconds}`
}

function instantText(bound: string): string {
  return bound.length === 10 ? bound : new Date(bound).toISOString()
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The calendar day of an instant in a zone, as `YYYY-MM-DD`. */
function localDay(instant: string, tz: string): string {
  const format =
    formats.get(tz) ??
    new Intl.DateTimeFormat('en-u-ca-iso8601', {
      timeZone: tz,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
  formats.set(tz, format)
  const part = Object.fromEntries(
    format.formatToParts(Date.parse(instant)).map(({ type, value }) => [type, value]),
  )
  return `${(part.year ?? '').padStart(4, '0')}-${part.month}-${part.day}`
}

function durationOf(text: unknown): Duration {
  const duration = readDuration(text)
  if (!duration) throw new Error('A stored filter holds no valid duration.')
  return duration
}

/** A day or an instant some way off: years and months first, onto the last day of a shorter month, then the rest. */
function moved(from: string, { years, months, days, ms }: Duration, sign: 1 | -1): string {
  const [year = 0, month = 1, day = 1] = from.slice(0, 10).split('-').map(Number)
  const monthsSince = year * 12 + (month - 1) + sign * (years * 12 + months)
  const lastDay = new Date(Date.UTC(2000, 0, 1))
  lastDay.setUTCFullYear(Math.floor(monthsSince / 12), (((monthsSince % 12) + 12) % 12) + 1, 0)
  const date = new Date(lastDay)
  date.setUTCDate(Math.min(day, lastDay.getUTCDate()))
  const timeOfDay = from.length === 10 ? 0 : Date.parse(from) - Date.parse(from.slice(0, 10))
  date.setTime(date.getTime() + sign * (days * 86_400_000 + ms) + timeOfDay)
  const text = date.toISOString()
  return from.length === 10 ? text.slice(0, 10) : text
}
