import { type DataType, fold, type Operator } from '#contract/index.ts'
import { filterBuilderText } from '../../../messages/index.ts'
import { readMoment } from '../../values/settling.ts'
import { writeMoment } from '../../values/written-moments.ts'
import { comparisonOf } from './filter-codec.ts'
import { type Comparison, durationUnits } from './nodes.ts'

/** Test of a date or moment that a text can mean. */
export interface MomentTest {
  readonly label: string
  /** Dates that a period becomes, since a filter compares with fixed ones. */
  readonly aside: string
  readonly op: Operator
  readonly value: unknown
}

export type MomentType = 'DATE' | 'DATETIME'

const moments = filterBuilderText.moments
const spanUnits = ['D', 'W', 'M', 'Y'] as const
type SpanUnit = (typeof spanUnits)[number]

const spanOps = ['within_last', 'within_next', 'older_than', 'anniversary_within', 'expires_within'] as const
type SpanOp = (typeof spanOps)[number]
const isSpanOp = (op: Operator): op is SpanOp => spanOps.some((each) => each === op)

/** Whether a comparison with a date is written in words, in one input. */
export function takesMomentWords(type: DataType, op: Operator): boolean {
  if (isSpanOp(op)) return true
  return (type === 'DATE' || type === 'DATETIME') && (op === 'on' || op === 'before' || op === 'after')
}

/**
 * Returns the tests that a typed text can mean, the likeliest of the given comparison first. A filter has no word for
 * "this month", so a period becomes the dates that it has on the given day.
 */
export function momentTests(
  type: MomentType,
  op: Operator,
  typed: string,
  today: string,
): readonly MomentTest[] {
  const words = fold(typed)
    .split(/\s+/)
    .filter((word) => word !== '')
  const amount = words.map(Number).find((number) => Number.isInteger(number) && number > 0 && number < 10_000)
  const all = [...ofOperator(op, amount, today), ...others(op, amount, today)]
  const matches = all.filter(({ label }) => {
    const own = fold(label).split(/\s+/)
    return words.every((word) =>
      own.some((each) => (/^\d+$/.test(word) ? each === word : each.startsWith(word))),
    )
  })
  const dates = typed.trim() === '' ? [] : datesOf(type, op, typed.trim())
  const whole = fold(typed.trim())
  // A number fits many spans alike, so that their own order decides.
  const fit = ({ label }: MomentTest) => {
    const own = fold(label)
    return own === whole ? 2 : whole !== '' && amount === undefined && own.startsWith(whole) ? 1 : 0
  }
  const seen = new Set<string>()
  return [...dates, ...matches.toSorted((a, b) => fit(b) - fit(a))].filter((each) => {
    const id = JSON.stringify([each.op, each.value])
    return !seen.has(id) && seen.add(id)
  })
}

const test = (op: Operator, label: string, value: unknown, aside = ''): MomentTest => ({
  label,
  aside,
  op,
  value,
})

/** Tests with the operator that is chosen. */
function ofOperator(op: Operator, amount: number | undefined, today: string): readonly MomentTest[] {
  if (isSpanOp(op)) return spans(op, amount)
  if (op === 'on') return [...days('on', amount), ...periods(today)]
  return days(op, amount)
}

/** Tests with another operator, which a text names by its words. */
function others(op: Operator, amount: number | undefined, today: string): readonly MomentTest[] {
  if (op === 'before' || op === 'after' || op === 'anniversary_within' || op === 'expires_within') return []
  const more = (['within_last', 'within_next', 'older_than'] as const).flatMap((each) => spans(each, amount))
  return [...more, ...days('on', amount), ...periods(today)]
}

const usualSpans = [
  [7, 'D'],
  [30, 'D'],
  [90, 'D'],
  [12, 'M'],
] as const

function spans(op: SpanOp, amount: number | undefined): readonly MomentTest[] {
  const lengths = amount === undefined ? usualSpans : spanUnits.map((unit) => [amount, unit] as const)
  return lengths.map(([count, unit]) =>
    test(op, moments.spans[op]({ span: spanText(count, unit) }), `P${count}${unit}`),
  )
}

const spanText = (count: number, unit: SpanUnit) => moments.units[unit]({ count })

function days(op: Operator, amount: number | undefined): readonly MomentTest[] {
  const near = [
    test(op, moments.today, { ago: 'P0D' }),
    test(op, moments.yesterday, { ago: 'P1D' }),
    test(op, moments.tomorrow, { ahead: 'P1D' }),
  ]
  if (amount === undefined) return near
  const far = spanUnits.flatMap((unit) => [
    test(op, moments.ago({ span: spanText(amount, unit) }), { ago: `P${amount}${unit}` }),
    test(op, moments.ahead({ span: spanText(amount, unit) }), { ahead: `P${amount}${unit}` }),
  ])
  return [...near, ...far]
}

const periodMonths = { month: 1, quarter: 3, year: 12 } as const

/** Months, quarters and years around a day, and the week that it is in. */
function periods(today: string): readonly MomentTest[] {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number)
  const weekday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7
  const week = (shift: number) =>
    between(moments.periods.week[place(shift)], [
      dateAt(year, month - 1, day - weekday + 7 * shift),
      dateAt(year, month - 1, day - weekday + 7 * shift + 6),
    ])
  const others = (['month', 'quarter', 'year'] as const).flatMap((name) => {
    const months = periodMonths[name]
    return shifts.map((shift) => {
      const first = Math.floor((month - 1) / months) * months + shift * months
      const label = moments.periods[name][place(shift)]
      return between(label, [dateAt(year, first, 1), dateAt(year, first + months, 0)])
    })
  })
  return [...shifts.map(week), ...others].toSorted((a, b) => order(a) - order(b))
}

const shifts = [0, -1, 1] as const

const current: ReadonlySet<string> = new Set(Object.values(moments.periods).map((period) => period.this))

/** Periods that today is in come first. */
const order = ({ label }: MomentTest) => (current.has(label) ? 0 : 1)

const place = (shift: number) => (shift === 0 ? 'this' : shift < 0 ? 'last' : 'next')

function between(label: string, [from, to]: readonly [string, string]): MomentTest {
  return test(
    'between',
    label,
    [from, to],
    moments.range({ from: writeMoment('DATE', from), to: writeMoment('DATE', to) }),
  )
}

const dateAt = (year: number, month: number, day: number) =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)

/** Returns the date, moment or year that a text is. */
function datesOf(type: MomentType, op: Operator, typed: string): readonly MomentTest[] {
  if (isSpanOp(op) && op !== 'within_last' && op !== 'within_next' && op !== 'older_than') return []
  const compared = isSpanOp(op) ? 'on' : op
  if (/^(?:19|20)\d{2}$/.test(typed) && !isSpanOp(op)) {
    const [first, last] = [`${typed}-01-01`, `${typed}-12-31`]
    if (op === 'on') return [between(typed, [first, last])]
    return [
      test(op, typed, op === 'before' ? first : last, writeMoment('DATE', op === 'before' ? first : last)),
    ]
  }
  const date = readMoment('DATE', typed)
  if (/^\d{4}-\d{2}-\d{2}$/.test(date)) return [test(compared, writeMoment('DATE', date), date)]
  const moment = type === 'DATETIME' ? readMoment('DATETIME', typed) : typed
  return moment.endsWith('Z') && /^\d{4}-\d{2}-\d{2}T/.test(moment)
    ? [test(compared, writeMoment('DATETIME', moment), moment)]
    : []
}

/** Returns the comparison that a test means. */
export const comparisonWith = (type: DataType, { op, value }: MomentTest): Comparison =>
  comparisonOf(type, op, value)

/** Writes what a comparison compares with, as `momentTests` reads it; text that is no moment stays as typed. */
export function momentText(type: DataType, { op, values, duration }: Comparison): string {
  if (isSpanOp(op)) return spanOf(duration)
  const [value] = values
  if (!value) return ''
  if (value.form === 'ago' || value.form === 'ahead') {
    const { amount, unit } = value.duration
    if (unit === 'D' && amount === '0') return moments.today
    if (unit === 'D' && amount === '1') return value.form === 'ago' ? moments.yesterday : moments.tomorrow
    const span = spanOf(value.duration)
    return span === '' ? '' : moments[value.form]({ span })
  }
  return writeMoment(value.form === 'day' || type === 'DATE' ? 'DATE' : 'DATETIME', value.draft.text)
}

function spanOf({ amount, unit }: Comparison['duration']): string {
  const named = durationUnits.find((each) => each === unit)
  const count = Number(amount)
  return named === undefined || amount.trim() === '' || !Number.isInteger(count)
    ? amount
    : moments.units[named]({ count })
}

/** Writes typed text into the comparison before it has a meaning, so that an error names what was typed. */
export function withMomentText(type: DataType, comparison: Comparison, typed: string): Comparison {
  if (isSpanOp(comparison.op)) return { ...comparison, duration: { amount: typed, unit: '' } }
  const [first, ...rest] = comparison.values
  if (!first) return comparison
  const form = type === 'DATETIME' ? ('day' as const) : ('value' as const)
  const draft = typed.trim() === '' ? { text: '', none: true } : { text: typed }
  return { ...comparison, values: [{ ...first, form, draft }, ...rest] }
}
