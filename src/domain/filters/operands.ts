import { type DataType, operandOf, type Operator, readDuration } from '#contract/index.ts'
import { rawText } from '#contract/reading/written.ts'
import { filterSentenceText } from '../../messages/index.ts'
import type {
  DurationUnit,
  PredicateParts,
  SpanDirection,
  UnitParts,
  ValueKind,
} from '../../messages/language/filter-sentence.ts'
import { joinList, say } from '../../messages/language/phrase.ts'
import { shortId } from '../../ui/ShortId.tsx'
import { dateOf, exactTime, instantMs, zonedMinute } from '../../ui/time.ts'
import { groupedNumber } from '../values/numbers.ts'

/** A test without its subject. */
export interface TestedValue {
  readonly op: Operator
  readonly value?: unknown
  readonly masked?: boolean | undefined
}

type Operands = Omit<PredicateParts, 'clause'>
const noOperands: Operands = { value: '', kind: 'other', to: '', toKind: 'other', span: '' }

export function operandsOf(type: DataType, test: TestedValue): Operands {
  const { open, hidden, hiddenSpan, oneOf } = filterSentenceText
  const { op, value } = test
  const direction = op === 'within_last' ? 'last' : 'next'
  if (isMasked(test)) {
    return { value: hidden, kind: 'masked', to: hidden, toKind: 'masked', span: hiddenSpan }
  }
  switch (operandOf(op)) {
    case 'none':
      return noOperands
    case 'fragment':
      return { ...noOperands, value: typeof value === 'string' && value !== '' ? quote(value) : open }
    case 'duration':
      return { ...noOperands, value: durationInWords(value), span: spanInWords(value, direction) }
    case 'list': {
      const items: readonly unknown[] = Array.isArray(value) ? value : ['']
      const said = items.map((item) => valueInWords(type, item))
      return { ...noOperands, value: joinList(oneOf, said), kind: kindOfValue(type, items[0]) }
    }
    case 'range': {
      const [from, to]: readonly unknown[] = Array.isArray(value) ? value : []
      return {
        ...noOperands,
        value: valueInWords(type, from),
        kind: kindOfValue(type, from),
        to: valueInWords(type, to),
        toKind: kindOfValue(type, to),
      }
    }
    case 'value':
      return { ...noOperands, value: valueInWords(type, value), kind: kindOfValue(type, value) }
  }
}

/** Whether the outcome of a test depends on the time zone in which days begin. */
export function countsDays(type: DataType, test: TestedValue): boolean {
  const { op, value } = test
  if (isMasked(test)) return false
  switch (operandOf(op)) {
    case 'none':
    case 'fragment':
      return false
    case 'duration':
      return !isExact(value)
    case 'value':
      return isOfDays(type, value)
    case 'list':
    case 'range':
      return Array.isArray(value) && value.some((item) => isOfDays(type, item))
  }
}

function isOfDays(type: DataType, value: unknown): boolean {
  const kind = kindOfValue(type, value)
  // Compared with a moment, a whole day begins and ends at a time that depends on the zone.
  if (kind === 'day') return type === 'DATETIME'
  return (kind === 'ago' || kind === 'ahead') && !isExact((value as Record<string, unknown>)[kind])
}

const isMasked = ({ masked, value }: TestedValue) => masked === true && value === undefined

function kindOfValue(type: DataType, value: unknown): ValueKind {
  if (type === 'TIME') return 'time'
  if (type !== 'DATE' && type !== 'DATETIME') return 'other'
  const { ago, ahead } = (value ?? {}) as Record<string, unknown>
  if (ago !== undefined) return 'ago'
  if (ahead !== undefined) return 'ahead'
  return type === 'DATE' || isDay(value) ? 'day' : 'moment'
}

const isDay = (value: unknown) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)

export const quote = (value: string) => say(filterSentenceText.text, { value })

function valueInWords(type: DataType, value: unknown): string {
  const { open, yes, no, amount } = filterSentenceText
  if (value === undefined || value === null || value === '') return open
  const record = typeof value === 'object' ? (value as Record<string, unknown>) : {}
  switch (type) {
    case 'TEXT':
    case 'EMAIL':
    case 'URL':
      return quote(rawText(value))
    case 'BOOLEAN':
      return value === true ? yes : value === false ? no : rawText(value)
    case 'CURRENCY':
      return say(amount, {
        value: groupedNumber(rawText(record['value'])) || open,
        currency: rawText(record['currency']) || open,
      })
    case 'DATE':
    case 'DATETIME':
      return timeInWords(value, record)
    case 'RELATIONSHIP':
      return relationshipInWords(record)
    case 'PREFERENCE':
      return preferenceInWords(record)
    case 'NUMBER':
    case 'DECIMAL':
      return groupedNumber(rawText(value))
    case 'TIME':
      return rawText(value)
  }
}

function timeInWords(value: unknown, { ago, ahead }: Record<string, unknown>): string {
  const text = filterSentenceText
  if (ago !== undefined) return say(text.ago, { duration: durationInWords(ago, 'ago') })
  if (ahead !== undefined) return say(text.ahead, { duration: durationInWords(ahead, 'ahead') })
  return typeof value === 'string' ? momentInWords(value) : rawText(value)
}

/**
 * Formats a day as "Mar 1, 2024", and an instant with its time in UTC, without seconds if they are 0. Returns any other
 * text unchanged.
 */
function momentInWords(value: string): string {
  const ms = instantMs(value, 'UTC')
  if (ms === undefined) return value
  if (isDay(value)) return dateOf(ms, 'utc')
  return ms % 60_000 === 0 ? zonedMinute(ms, 'utc') : exactTime(ms, 'utc')
}

function relationshipInWords({ user: id, entity }: Record<string, unknown>): string {
  const { open, relationship } = filterSentenceText
  const user = id === undefined ? open : shortId(rawText(id))
  return entity === undefined
    ? say(relationship.user, { user })
    : say(relationship.entity, { user, entity: shortId(rawText(entity)) })
}

function preferenceInWords({ status, statusDate, expires }: Record<string, unknown>): string {
  const { open, preference, preferenceOf } = filterSentenceText
  const code = rawText(status)
  const known = Object.hasOwn(preference, code) ? preference[code] : undefined
  const [since, until] = [statusDate, expires].map((date) =>
    typeof date === 'string' ? momentInWords(date) : '',
  ) as [string, string]
  return say(preferenceOf, {
    status: (known ?? code) || open,
    dates: since === '' ? (until === '' ? 'none' : 'until') : until === '' ? 'since' : 'both',
    since,
    until,
  })
}

type Units = Readonly<Record<string, DurationUnit>>
const dateUnits: Units = { Y: 'years', M: 'months', W: 'weeks', D: 'days' }
const timeUnits: Units = { H: 'hours', M: 'minutes', S: 'seconds' }

/** Whether the length of a duration is the same in every time zone. */
const isExact = (duration: unknown) => readDuration(duration)?.exact === true

/** Formats a duration in words: "1 year 6 months" for "P1Y6M". */
export function durationInWords(value: unknown, within: UnitParts['within'] = 'itself'): string {
  const counts = countsOf(value)
  if (!counts) return typeof value === 'string' && value !== '' ? value : filterSentenceText.open
  return joinList(
    filterSentenceText.duration,
    counts.map(([count, unit]) => say(filterSentenceText.units[unit], { count, within })),
  )
}

/** Formats a relative time span in words: "the last 30 days", "the next month". */
function spanInWords(value: unknown, direction: SpanDirection): string {
  const [[count, unit] = [0, 'days'] as const, ...others] = countsOf(value) ?? []
  return count === 1 && others.length === 0
    ? say(filterSentenceText.singleSpan[unit], { direction })
    : say(filterSentenceText.span, { direction, duration: durationInWords(value, direction) })
}

/** Returns the counts of an ISO 8601 duration, by unit; undefined for any other value. */
function countsOf(value: unknown): readonly (readonly [count: number, unit: DurationUnit])[] | undefined {
  if (!readDuration(value)) return undefined
  const [date = '', time = ''] = (value as string).split('T')
  const counts = [...countsIn(date, dateUnits), ...countsIn(time, timeUnits)]
  const some = counts.filter(([count]) => count > 0)
  return some.length > 0 ? some : counts.slice(0, 1)
}

const countsIn = (text: string, units: Units) =>
  [...text.matchAll(/(\d+)([A-Z])/g)].map(
    ([, count, letter = '']) => [Number(count), units[letter] ?? 'days'] as const,
  )
