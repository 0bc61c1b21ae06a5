import { type DataType, type Operator, textKey, textKeyParts } from '#contract/index.ts'

// Operators on texts, numbers and amounts; see evaluate.ts.

type Test<Subject> = (subject: Subject, value: unknown) => boolean
export type Tests<Subject> = Partial<Record<Operator, Test<Subject>>>

export function holdsFor<Subject>(
  tests: Tests<Subject>,
  op: Operator,
  subject: Subject,
  value: unknown,
): boolean {
  const test = tests[op]
  if (!test) throw new Error(`A stored filter holds "${op}" where it does not apply.`)
  return test(subject, value)
}

/** Returns the operators on texts; they compare normalized text keys. */
function textTests(type: DataType): Tests<string> {
  const whole = (value: unknown) => textKey(type, value as string)
  const isListed = (subject: string, values: unknown) =>
    (values as unknown[]).some((each) => whole(each) === subject)
  const hasPart = (subject: string, value: unknown, place: 'includes' | 'startsWith' | 'endsWith') =>
    textKeyParts(type, value as string).some(({ text, inDomain }) => {
      if (!inDomain) return subject[place](text)
      const domain = subject.indexOf('@') + 1
      return domain > 0 && place !== 'startsWith' && subject.slice(domain)[place](text)
    })
  return {
    eq: (subject, value) => subject === whole(value),
    ne: (subject, value) => subject !== whole(value),
    in: isListed,
    not_in: (subject, values) => !isListed(subject, values),
    contains: (subject, value) => hasPart(subject, value, 'includes'),
    not_contains: (subject, value) => !hasPart(subject, value, 'includes'),
    starts_with: (subject, value) => hasPart(subject, value, 'startsWith'),
    ends_with: (subject, value) => hasPart(subject, value, 'endsWith'),
  }
}

export function textPasses(type: DataType, actual: string, op: Operator, value: unknown): boolean {
  return holdsFor(textTests(type), op, textKey(type, actual), value)
}

/** An exact decimal number: `digits` in units of 10^-`scale`. */
interface Exact {
  readonly digits: bigint
  readonly scale: number
}

export function exact(value: unknown): Exact | undefined {
  const text = typeof value === 'number' ? plainText(value) : value
  if (typeof text !== 'string' || text.length >= 400 || !/^-?\d+(\.\d+)?$/.test(text)) return undefined
  const [whole = '', fraction = ''] = text.split('.')
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

/** Returns the shortest decimal text of a double, without an exponent. */
function plainText(value: number): string {
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

/** Returns a negative number if the subject is less than the filter's value. */
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

export const numberPasses = (actual: Exact | undefined, op: Operator, value: unknown) =>
  actual !== undefined && holdsFor(numberTests, op, actual, value)

interface Amount {
  readonly currency: string
  readonly value: string
}

export function amountPasses(actual: unknown, op: Operator, value: unknown): boolean {
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
  // An amount in another currency is neither less, nor more, nor equal.
  if (!same(other)) return op === 'ne' && amount !== undefined
  return numberPasses(amount, op, other.value)
}

/** Whether the value has every member that the filter names, with the same content. */
export function holds(actual: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return actual === wanted
  if (typeof actual !== 'object' || actual === null) return false
  return Object.entries(wanted).every(
    ([name, part]) => Object.hasOwn(actual, name) && holds((actual as Record<string, unknown>)[name], part),
  )
}
