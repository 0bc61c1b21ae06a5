import {
  type DataType,
  type EntityTest,
  type Filter,
  operandOf,
  type PropertyTest,
  readAnsweredFilter,
  readDuration,
  userFields,
  type UserTest,
} from '#contract/index.ts'
import { segmentText } from '../../messages/index.ts'
import { shortId } from '../../ui/ShortId.tsx'
import { groupedNumber } from '../values/numbers.ts'
import { groupOf } from './group.ts'
import type { DurationUnit } from '../../messages/en/segments.ts'
import { dateOf, exactTime, instantMs, zonedMinute } from '../../ui/time.ts'

const sentenceText = segmentText.sentence

export interface SentenceContext {
  /** The zone in which the segment's days begin; absent: UTC. */
  readonly tz?: string | null | undefined
  /** The name of a segment, where it is known. */
  readonly segmentName?: ((id: string) => string | undefined) | undefined
}

/** Describes whom a filter matches; "Custom filter" for one that the contract's grammar does not cover. */
export function sentenceOf(filter: unknown, context: SentenceContext = {}): string {
  const read = readAnsweredFilter(filter)
  return read ? sentenceOfParts(read, context) : sentenceText.custom
}

/** Describes a filter that is still being written: missing or invalid parts show as gaps. */
export function sentenceOfParts(filter: Filter, context: SentenceContext = {}): string {
  const writer = new Writer(context)
  const sentence = writer.whole(simplify(filter))
  return writer.countsDays ? `${sentence} ${sentenceText.daysIn(context.tz ?? 'UTC')}` : sentence
}

/** One condition of a filter, and the tests of its entity beside it. */
export function conditionInWords(
  filter: Filter,
  context: SentenceContext = {},
): { readonly condition: string; readonly tests: readonly string[] } {
  const writer = new Writer(context)
  if (!('entity' in filter)) return { condition: writer.clause(filter), tests: [] }
  const { where = [], ...entity } = filter
  return { condition: writer.clause(entity), tests: where.map((test) => writer.propertyTest(test)) }
}

/** One condition, as short as it can be told: "e-mail contains “@example.org”", "car.colour is “red”". */
export function conditionInBrief(filter: Filter): string {
  const writer = new Writer({})
  if ('user' in filter) return writer.field(filter)
  if ('entity' in filter && filter.min === undefined && filter.where?.length === 1)
    return filter.where.map((test) => sentenceText.of(filter.entity, writer.propertyTest(test))).join('')
  return writer.clause(filter)
}

/** Describes a test of one property: "brand is “Volvo”". */
export function testInWords(test: PropertyTest): string {
  return new Writer({}).propertyTest(test)
}

/** Names the zone in which days begin, if the filter counts days; segments that it refers to are left out. */
export function daysCounted(filter: Filter, tz: SentenceContext['tz']): string | undefined {
  const writer = new Writer({})
  writer.whole(filter)
  return writer.countsDays ? sentenceText.daysIn(tz ?? 'UTC') : undefined
}

/** A group of one part is that part. */
function simplify(filter: Filter): Filter {
  if ('not' in filter) return { not: simplify(filter.not) }
  if (!('all' in filter) && !('any' in filter)) return filter
  const { match, parts } = groupOf(filter)
  const simple = parts.map(simplify)
  return simple.length === 1 && simple[0] ? simple[0] : ({ [match]: simple } as unknown as Filter)
}

class Writer {
  readonly #context: SentenceContext
  /** Whether something in the filter depends on where days begin. */
  countsDays = false

  constructor(context: SentenceContext) {
    this.#context = context
  }

  whole(filter: Filter): string {
    if ('all' in filter && filter.all.length === 0) return sentenceText.everyone
    if ('any' in filter && filter.any.length === 0) return sentenceText.nobody
    if ('not' in filter && !('entity' in filter.not) && !('segment' in filter.not)) {
      const inner = this.clause(filter.not)
      return inner === sentenceText.whoNobody
        ? sentenceText.everyone
        : inner === sentenceText.whoAnyone
          ? sentenceText.nobody
          : sentenceText.allExcept(inner)
    }
    return sentenceText.users(this.clause(filter))
  }

  /** Returns the clause that follows "Users". */
  clause(filter: Filter): string {
    if ('all' in filter)
      return filter.all.length === 0
        ? sentenceText.whoAnyone
        : sentenceText.and(filter.all.map((part) => this.#part(part)))
    if ('any' in filter)
      return filter.any.length === 0
        ? sentenceText.whoNobody
        : sentenceText.or(filter.any.map((part) => this.#part(part)))
    if ('not' in filter) {
      const { not } = filter
      if ('segment' in not) return sentenceText.notInSegment(this.#segment(not.segment))
      if ('entity' in not) return this.#entity(not, sentenceText.hasNot)
      return sentenceText.whoNot(this.#part(not))
    }
    if ('segment' in filter) return sentenceText.inSegment(this.#segment(filter.segment))
    if ('entity' in filter) return this.#entity(filter, sentenceText.has)
    return this.#userTest(filter)
  }

  /** In brackets where "and" and "or" would run together. */
  #part(filter: Filter): string {
    const isGroup = ('all' in filter || 'any' in filter) && groupOf(filter).parts.length > 1
    return isGroup ? sentenceText.group(this.clause(filter)) : this.clause(filter)
  }

  #segment(id: string): string {
    const name = this.#context.segmentName?.(id)
    return name === undefined ? (id === '' ? sentenceText.open : shortId(id)) : sentenceText.text(name)
  }

  #entity({ entity, min, where = [] }: EntityTest, has: typeof sentenceText.has): string {
    // A filter typed as JSON may hold any value here.
    const whole = has(entity || sentenceText.open, Number.isFinite(min) ? min : undefined)
    if (where.length === 0) return whole
    const tests = where.map((test) => {
      const said = this.propertyTest(test)
      return test.orMissing === true && where.length > 1 ? sentenceText.group(said) : said
    })
    return sentenceText.where(whole, tests)
  }

  #userTest(test: UserTest): string {
    const { user, op, value } = test
    if (user === 'account' && op === 'eq' && typeof value === 'boolean')
      return value ? sentenceText.account.yes : sentenceText.account.no
    return sentenceText.whose(this.field(test))
  }

  field({ user, op, value }: UserTest): string {
    return sentenceText.field(user, this.#predicate(userFields[user], op, value))
  }

  propertyTest({ key, type, op, value, orMissing, sensitive, masked }: PropertyTest): string {
    const predicate =
      masked && value === undefined
        ? sentenceText.predicate[op](sentenceText.hidden, sentenceText.hidden)
        : this.#predicate(type, op, value)
    const plainly = sentenceText.property(key || sentenceText.open, predicate)
    const said = sensitive === undefined ? plainly : sentenceText.marked(plainly, sensitive)
    return orMissing === true ? sentenceText.orMissing(said) : said
  }

  #predicate(type: DataType, op: PropertyTest['op'], value: unknown): string {
    const one = (item: unknown) => this.#value(type, item)
    const say = sentenceText.predicate[op]
    switch (operandOf(op)) {
      case 'none':
        return say('', '')
      case 'fragment':
        return say(
          typeof value === 'string' && value !== '' ? sentenceText.text(value) : sentenceText.open,
          '',
        )
      case 'duration':
        if (!isExact(value)) this.countsDays = true
        return say(durationInWords(value), '')
      case 'list':
        return say(sentenceText.oneOf(Array.isArray(value) ? value.map(one) : [sentenceText.open]), '')
      case 'range': {
        const [from, to] = Array.isArray(value) ? (value as unknown[]) : []
        return say(one(from), one(to))
      }
      case 'value':
        // "on 09:30" is no English.
        return type === 'TIME' && op === 'on' ? sentenceText.at(one(value)) : say(one(value), '')
    }
  }

  #value(type: DataType, value: unknown): string {
    if (value === undefined || value === null || value === '') return sentenceText.open
    const record = typeof value === 'object' ? (value as Record<string, unknown>) : {}
    switch (type) {
      case 'TEXT':
      case 'EMAIL':
      case 'URL':
        return sentenceText.text(plainText(value))
      case 'BOOLEAN':
        return value === true ? sentenceText.yes : value === false ? sentenceText.no : plainText(value)
      case 'CURRENCY':
        return sentenceText.amount(
          groupedNumber(plainText(record['value'])) || sentenceText.open,
          plainText(record['currency']) || sentenceText.open,
        )
      case 'DATE':
      case 'DATETIME':
        return this.#moment(type, value, record)
      case 'RELATIONSHIP': {
        const { user, entity } = record
        return sentenceText.relationship(
          user === undefined ? sentenceText.open : shortId(plainText(user)),
          entity === undefined ? undefined : shortId(plainText(entity)),
        )
      }
      case 'PREFERENCE': {
        const status = plainText(record['status'])
        const when = (member: unknown) => (typeof member === 'string' ? momentInWords(member) : undefined)
        return sentenceText.preferenceOf(
          (sentenceText.preference[status] ?? status) || sentenceText.open,
          when(record['statusDate']),
          when(record['expires']),
        )
      }
      case 'NUMBER':
      case 'DECIMAL':
        return groupedNumber(plainText(value))
      case 'TIME':
        return plainText(value)
    }
  }

  #moment(type: DataType, value: unknown, { ago, ahead }: Record<string, unknown>): string {
    if (ago !== undefined || ahead !== undefined) {
      const span = ago ?? ahead
      if (!isExact(span)) this.countsDays = true
      return (ago === undefined ? sentenceText.ahead : sentenceText.ago)(durationInWords(span))
    }
    if (typeof value !== 'string') return plainText(value)
    // A whole day as a moment's bound begins and ends somewhere.
    if (type === 'DATETIME' && isDay(value)) this.countsDays = true
    return momentInWords(value)
  }
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : (JSON.stringify(value) ?? '')
}

const isDay = (value: string) => /^\d{4}-\d{2}-\d{2}$/.test(value)

/** Tells whether the length of a duration is independent of where days begin. */
const isExact = (duration: unknown) => readDuration(duration)?.exact === true

/** "Mar 1, 2024", or with the time in UTC, and with seconds where it has some; what is no moment stays as it is. */
function momentInWords(value: string): string {
  const ms = instantMs(value, 'UTC')
  if (ms === undefined) return value
  if (isDay(value)) return dateOf(ms, 'utc')
  return ms % 60_000 === 0 ? zonedMinute(ms, 'utc') : exactTime(ms, 'utc')
}

type Units = Readonly<Record<string, DurationUnit>>
const dateUnits: Units = { Y: 'years', M: 'months', W: 'weeks', D: 'days' }
const timeUnits: Units = { H: 'hours', M: 'minutes', S: 'seconds' }

/** "1 year 6 months" for "P1Y6M". */
export function durationInWords(value: unknown): string {
  if (!readDuration(value)) return typeof value === 'string' && value !== '' ? value : sentenceText.open
  const [date = '', time = ''] = (value as string).split('T')
  const parts = [...countsIn(date, dateUnits), ...countsIn(time, timeUnits)]
  const named = parts.filter(([count]) => count > 0)
  return sentenceText.duration(named.length > 0 ? named : parts.slice(0, 1))
}

const countsIn = (text: string, units: Units) =>
  [...text.matchAll(/(\d+)([A-Z])/g)].map(
    ([, count, letter = '']) => [Number(count), units[letter] ?? 'days'] as const,
  )
