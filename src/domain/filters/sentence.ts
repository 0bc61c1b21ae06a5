import {
  asksForPresence,
  type DataType,
  type EntityTest,
  type Filter,
  type Operator,
  operandOf,
  type PropertyTest,
  readAnsweredFilter,
  readDuration,
  type UserField,
  userFields,
  type UserTest,
} from '#contract/index.ts'
import { filterSentenceText } from '../../messages/index.ts'
import { shortId } from '../../ui/ShortId.tsx'
import { keyLabel } from '../values/key-label.ts'
import { groupedNumber } from '../values/numbers.ts'
import { groupOf } from './group.ts'
import type { DurationUnit } from '../../messages/en/segments.ts'
import { dateOf, exactTime, instantMs, zonedMinute } from '../../ui/time.ts'

export interface SentenceContext {
  /** The zone in which the segment's days begin; absent: UTC. */
  readonly tz?: string | null | undefined
  /** The name of a segment, where it is known. */
  readonly segmentName?: ((id: string) => string | undefined) | undefined
}

/** Describes whom a filter matches; "Custom filter" for one that the contract's grammar does not cover. */
export function sentenceOf(filter: unknown, context: SentenceContext = {}): string {
  const read = readAnsweredFilter(filter)
  return read ? sentenceOfParts(read, context) : filterSentenceText.custom
}

/** Describes a filter that is still being written: missing or invalid parts show as gaps. */
export function sentenceOfParts(filter: Filter, context: SentenceContext = {}): string {
  const writer = new Writer(context)
  const sentence = writer.whole(simplify(filter))
  return writer.countsDays ? `${sentence} ${filterSentenceText.daysIn(context.tz ?? 'UTC')}` : sentence
}

/** One condition of a filter, and the tests of its entity beside it. */
export function conditionInWords(
  filter: Filter,
  context: SentenceContext = {},
): { readonly condition: string; readonly tests: readonly string[] } {
  const writer = new Writer(context)
  if (!('entity' in filter)) return { condition: writer.clause(filter), tests: [] }
  const { where = [], ...entity } = filter
  return {
    condition: writer.clause(entity),
    tests: where.map((test) => writer.propertyTest(test, filterSentenceText.property)),
  }
}

/** One condition, as short as it can be told: "e-mail contains “@example.org”", "car colour is “red”". */
export function conditionInBrief(filter: Filter): string {
  const writer = new Writer({})
  if ('user' in filter) return writer.field(filter)
  if ('entity' in filter && filter.min === undefined && filter.where?.length === 1)
    return filter.where.map((test) => writer.entityTest(filter.entity, test)).join('')
  return writer.clause(filter)
}

/** Describes a test of one property on a line of its own: "Brand is “Volvo”". */
export function testInWords(test: PropertyTest, label = keyLabel(test.key)): string {
  return new Writer({}).propertyTest(test, filterSentenceText.property, label)
}

/** Names the zone in which days begin, if the filter counts days; segments that it refers to are left out. */
export function daysCounted(filter: Filter, tz: SentenceContext['tz']): string | undefined {
  const writer = new Writer({})
  writer.whole(filter)
  return writer.countsDays ? filterSentenceText.daysIn(tz ?? 'UTC') : undefined
}

/** A group of one part is that part. */
function simplify(filter: Filter): Filter {
  if ('not' in filter) return { not: simplify(filter.not) }
  if (!('all' in filter) && !('any' in filter)) return filter
  const { match, parts } = groupOf(filter)
  const simple = parts.map(simplify)
  return simple.length === 1 && simple[0] ? simple[0] : ({ [match]: simple } as unknown as Filter)
}

/**
 * Operators whose test of one car needs "a car (…)": "whose car’s make is not …" could be read as of every car, and
 * alternatives run into those of the sentence.
 */
const bracketed: ReadonlySet<Operator> = new Set<Operator>([
  'ne',
  'in',
  'not_in',
  'not_contains',
  'missing',
  'not_granted',
])

/** The only entity type whose properties are the user's own. */
const ownType = 'person'

/** Fields that every user has. */
const isAlwaysThere = (field: UserField) => field === 'created' || field === 'account'

/** Tells whether a test needs no brackets. */
const isPlain = ({ op, orMissing, sensitive }: PropertyTest) =>
  !bracketed.has(op) && orMissing !== true && sensitive === undefined

/** Tells whether a filter, or what it negates, has several parts. */
function isLongGroup(filter: Filter): boolean {
  if ('not' in filter) return isLongGroup(filter.not)
  return ('all' in filter || 'any' in filter) && groupOf(filter).parts.length > 1
}

class Writer {
  readonly #context: SentenceContext
  /** Whether something in the filter depends on where days begin. */
  countsDays = false

  constructor(context: SentenceContext) {
    this.#context = context
  }

  whole(filter: Filter): string {
    const { everyone, nobody, whoAnyone, whoNobody, allExcept, users } = filterSentenceText
    const isExcept = 'not' in filter && !('entity' in filter.not) && !('segment' in filter.not)
    const clause = this.clause(isExcept ? filter.not : filter)
    if (clause === whoAnyone) return isExcept ? nobody : everyone
    if (clause === whoNobody) return isExcept ? everyone : nobody
    return isExcept ? allExcept(clause) : users(clause)
  }

  /** Returns the clause that follows "Users". A negation is said of each condition, where it cannot be misread. */
  clause(filter: Filter, isNegated = false): string {
    if ('not' in filter) return this.clause(filter.not, !isNegated)
    if ('all' in filter || 'any' in filter) {
      const { match, parts } = groupOf(filter)
      const isAll = (match === 'all') !== isNegated
      if (parts.length === 0) return isAll ? filterSentenceText.whoAnyone : filterSentenceText.whoNobody
      const join = isAll ? filterSentenceText.and : filterSentenceText.or
      return join(parts.map((part) => this.#part(part, isNegated)))
    }
    if ('segment' in filter) {
      const name = this.#segment(filter.segment)
      return isNegated ? filterSentenceText.notInSegment(name) : filterSentenceText.inSegment(name)
    }
    if ('entity' in filter) return this.#entity(filter, isNegated)
    // The part of a negation that is still empty.
    return Object.keys(filter).length === 0 ? filterSentenceText.open : this.#userTest(filter, isNegated)
  }

  /** In brackets where "and" and "or" would run together. */
  #part(filter: Filter, isNegated: boolean): string {
    const clause = this.clause(filter, isNegated)
    return isLongGroup(filter) ? filterSentenceText.group(clause) : clause
  }

  #segment(id: string): string {
    const name = this.#context.segmentName?.(id)
    return name === undefined
      ? id === ''
        ? filterSentenceText.open
        : shortId(id)
      : filterSentenceText.text(name)
  }

  #entity({ entity, min, where = [] }: EntityTest, isNegated: boolean): string {
    const [only, ...others] = where
    if (only && others.length === 0 && !isNegated && (min ?? 1) === 1 && isPlain(only) && entity !== '')
      return this.#whose(entity, only)
    const type = entity || filterSentenceText.open
    // A filter typed as JSON may hold any value here.
    const least = Number.isFinite(min) ? min : undefined
    const has = isNegated ? filterSentenceText.hasNot(type, least) : filterSentenceText.has(type, least)
    if (where.length === 0) return has
    const tests = where.map((test) => {
      const said = this.propertyTest(test, filterSentenceText.propertyWithin)
      return test.orMissing === true && where.length > 1 ? filterSentenceText.group(said) : said
    })
    return filterSentenceText.where({ has, tests })
  }

  /** A property whose key is also a field of users says of which entity it is. */
  #whose(type: string, test: PropertyTest): string {
    const isOwn = type === ownType && !(test.key in userFields)
    return this.propertyTest(test, (parts) =>
      isOwn ? filterSentenceText.whoseProperty(parts) : filterSentenceText.whoseEntity({ type, ...parts }),
    )
  }

  #userTest(test: UserTest, isNegated: boolean): string {
    const { user, op, value } = test
    if (user === 'account' && op === 'eq' && typeof value === 'boolean')
      return value === isNegated ? filterSentenceText.account.no : filterSentenceText.account.yes
    if (user !== 'account' && asksForPresence(op)) {
      const isWith = (op === 'exists') !== isNegated
      return isWith ? filterSentenceText.withField[user] : filterSentenceText.withoutField[user]
    }
    const predicate = this.#predicate(userFields[user], test, isNegated)
    const say =
      isNegated && !isAlwaysThere(user) ? filterSentenceText.whoseFieldIfAny : filterSentenceText.whoseField
    return say({ field: user, predicate })
  }

  field(test: UserTest): string {
    const predicate = this.#predicate(userFields[test.user], test, false)
    return filterSentenceText.field({ field: test.user, predicate })
  }

  entityTest(type: string, test: PropertyTest): string {
    return this.propertyTest(test, (parts) => filterSentenceText.ofType({ type, ...parts }))
  }

  propertyTest(
    test: PropertyTest,
    say: typeof filterSentenceText.property,
    label = keyLabel(test.key),
  ): string {
    const { type, orMissing, sensitive } = test
    const plainly = say({
      label: label || filterSentenceText.open,
      predicate: this.#predicate(type, test, false),
    })
    const said =
      sensitive === undefined
        ? plainly
        : sensitive
          ? filterSentenceText.sensitive(plainly)
          : filterSentenceText.notSensitive(plainly)
    return orMissing === true ? filterSentenceText.orMissing(said) : said
  }

  #predicate(
    type: DataType,
    { op, value, masked }: { op: Operator; value?: unknown; masked?: unknown },
    isNegated: boolean,
  ): string {
    const one = (item: unknown) => this.#value(type, item)
    const blank = { value: '', to: '', span: '' }
    const predicate = (isNegated ? filterSentenceText.opposites : filterSentenceText.predicates)[op]
    const say = (operands: Partial<typeof blank>) => predicate({ ...blank, ...operands })
    const { open, hidden } = filterSentenceText
    if (masked === true && value === undefined) return say({ value: hidden, to: hidden, span: hidden })
    switch (operandOf(op)) {
      case 'none':
        return say({})
      case 'fragment':
        return say({
          value: typeof value === 'string' && value !== '' ? filterSentenceText.text(value) : open,
        })
      case 'duration':
        if (!isExact(value)) this.countsDays = true
        return say({ value: durationInWords(value), span: durationInWords(value, filterSentenceText.span) })
      case 'list':
        return say({ value: filterSentenceText.oneOf(Array.isArray(value) ? value.map(one) : [open]) })
      case 'range': {
        const [from, to] = Array.isArray(value) ? (value as unknown[]) : []
        return say({ value: one(from), to: one(to) })
      }
      case 'value':
        // "on 09:30" is no English.
        return type === 'TIME' && op === 'on' ? filterSentenceText.at(one(value)) : say({ value: one(value) })
    }
  }

  #value(type: DataType, value: unknown): string {
    if (value === undefined || value === null || value === '') return filterSentenceText.open
    const record = typeof value === 'object' ? (value as Record<string, unknown>) : {}
    switch (type) {
      case 'TEXT':
      case 'EMAIL':
      case 'URL':
        return filterSentenceText.text(plainText(value))
      case 'BOOLEAN':
        return value === true
          ? filterSentenceText.yes
          : value === false
            ? filterSentenceText.no
            : plainText(value)
      case 'CURRENCY':
        return filterSentenceText.amount({
          value: groupedNumber(plainText(record['value'])) || filterSentenceText.open,
          currency: plainText(record['currency']) || filterSentenceText.open,
        })
      case 'DATE':
      case 'DATETIME':
        return this.#moment(type, value, record)
      case 'RELATIONSHIP': {
        const { user, entity } = record
        return filterSentenceText.relationship({
          user: user === undefined ? filterSentenceText.open : shortId(plainText(user)),
          entity: entity === undefined ? undefined : shortId(plainText(entity)),
        })
      }
      case 'PREFERENCE': {
        const status = plainText(record['status'])
        const when = (member: unknown) => (typeof member === 'string' ? momentInWords(member) : undefined)
        return filterSentenceText.preferenceOf({
          status: (filterSentenceText.preference[status] ?? status) || filterSentenceText.open,
          since: when(record['statusDate']),
          until: when(record['expires']),
        })
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
      return (ago === undefined ? filterSentenceText.ahead : filterSentenceText.ago)(durationInWords(span))
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
export function durationInWords(value: unknown, say = filterSentenceText.duration): string {
  if (!readDuration(value)) return typeof value === 'string' && value !== '' ? value : filterSentenceText.open
  const [date = '', time = ''] = (value as string).split('T')
  const parts = [...countsIn(date, dateUnits), ...countsIn(time, timeUnits)]
  const named = parts.filter(([count]) => count > 0)
  return say(named.length > 0 ? named : parts.slice(0, 1))
}

const countsIn = (text: string, units: Units) =>
  [...text.matchAll(/(\d+)([A-Z])/g)].map(
    ([, count, letter = '']) => [Number(count), units[letter] ?? 'days'] as const,
  )
