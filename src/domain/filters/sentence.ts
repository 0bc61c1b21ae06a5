import {
  asksForPresence,
  type DataType,
  type EntityTest,
  type Filter,
  type Judged,
  operandOf,
  type Operator,
  type PropertyTest,
  readAnsweredFilter,
  type UserField,
  userFields,
  type UserTest,
} from '#contract/index.ts'
import { filterSentenceText } from '../../messages/index.ts'
import type { NounParts, PropertyParts } from '../../messages/language/filter-sentence.ts'
import { joinList, type Phrase, say } from '../../messages/language/phrase.ts'
import { shortId } from '../../ui/ShortId.tsx'
import { choiceLabel, propertyLabel, readable, typeLabel, withSmallLetter } from '../labels.ts'
import { countsDays, operandsOf, quote, type TestedValue } from './operands.ts'

export interface SentenceContext {
  /** Time zone in which the segment's days begin; UTC by default. */
  readonly tz?: string | null | undefined
  readonly segmentName?: ((id: string) => string | undefined) | undefined
}

/** Describes the users that a filter matches. Returns "Custom filter" for a filter outside the contract's grammar. */
export function sentenceOf(filter: unknown, context: SentenceContext = {}): string {
  const read = readAnsweredFilter(filter)
  return read ? sentenceOfParts(read, context) : filterSentenceText.custom
}

/** Describes a filter that is still being edited. Missing and invalid parts appear as gaps. */
export function sentenceOfParts(filter: Filter, context: SentenceContext = {}): string {
  const writer = new Writer(context)
  const sentence = writer.whole(simplify(filter))
  return writer.countsDays
    ? say(filterSentenceText.withDays, { sentence, zone: context.tz ?? 'UTC' })
    : sentence
}

/** Describes one condition of a filter, with the tests of its entity listed separately. */
export function conditionInWords(filter: Filter, context: SentenceContext = {}) {
  const writer = new Writer(context)
  if (!('entity' in filter)) return { condition: writer.alone(filter), tests: [] }
  const { where = [], ...entity } = filter
  const has = writer.alone(entity)
  return {
    condition: where.length === 0 ? has : say(filterSentenceText.alone.where, { has }),
    tests: where.map((test) => writer.propertyTest(filter.entity, test, filterSentenceText.property)),
  }
}

/**
 * Describes one condition briefly: "e-mail contains “@example.org”", "birthday is today", "car colour is “red”", "has
 * an account".
 */
export function conditionInBrief(filter: Filter): string {
  const writer = new Writer({})
  if ('entity' in filter && filter.min === undefined && filter.where?.length === 1)
    return filter.where.map((test) => writer.briefTest(filter.entity, test)).join('')
  return writer.alone(filter)
}

/**
 * Describes a test of one property on a line of its own: "Brand is “Volvo”".
 * @param type Type of its entity; empty for a field of the user.
 */
export function testInWords(type: string, test: PropertyTest, label?: string): string {
  return new Writer({}).propertyTest(type, test, filterSentenceText.property, label)
}

/** Returns a sentence that names the time zone, if the filter counts days. Ignores the segments that it refers to. */
export function describeDays(filter: Filter, tz: SentenceContext['tz']): string | undefined {
  const writer = new Writer({})
  writer.whole(filter)
  return writer.countsDays ? say(filterSentenceText.daysIn, { zone: tz ?? 'UTC' }) : undefined
}

function simplify(filter: Filter): Filter {
  if ('not' in filter) return { not: simplify(filter.not) }
  if (!('all' in filter) && !('any' in filter)) return filter
  const { match, parts } = groupOf(filter)
  const simple = parts.map(simplify)
  return simple.length === 1 && simple[0] ? simple[0] : ({ [match]: simple } as unknown as Filter)
}

/**
 * Operators whose test of an entity is worded as "a car (…)". Otherwise "whose car’s make is not …" could mean every
 * car, and alternatives could be confused with those of the sentence.
 */
const bracketed = new Set<Operator>(['ne', 'in', 'not_in', 'not_contains', 'missing', 'not_granted'])

/** The only entity type whose properties are the user's own. */
const ownType = 'person'

const isAlwaysThere = (field: UserField) => field === 'created' || field === 'account'

const isPlain = ({ op, orMissing, sensitive }: PropertyTest) =>
  !bracketed.has(op) && orMissing !== true && sensitive === undefined

/** Whether a filter, or the filter that it negates, has several parts. */
function isLongGroup(filter: Filter): boolean {
  if ('not' in filter) return isLongGroup(filter.not)
  return ('all' in filter || 'any' in filter) && groupOf(filter).parts.length > 1
}

/** Phrases for having one entity, and at least some number of them. */
type HasPhrases = Pick<typeof filterSentenceText, 'has' | 'hasAtLeast'>

class Writer {
  readonly #context: SentenceContext
  /** Whether any part of the filter depends on the time zone in which days begin. */
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
    const end = clause.endsWith(filterSentenceText.open) ? 'open' : 'closed'
    return say(isExcept ? allExcept : users, { clause, end })
  }

  /** Returns the clause that follows "Users". A negation is applied to each condition, where it is unambiguous. */
  clause(filter: Filter, isNegated = false): string {
    if ('not' in filter) return this.clause(filter.not, !isNegated)
    if ('all' in filter || 'any' in filter) {
      const { match, parts } = groupOf(filter)
      const isAll = (match === 'all') !== isNegated
      if (parts.length === 0) return isAll ? filterSentenceText.whoAnyone : filterSentenceText.whoNobody
      const clauses = parts.map((part) => this.#part(part, isNegated))
      return joinList(isAll ? filterSentenceText.and : filterSentenceText.or, clauses)
    }
    if ('segment' in filter) {
      const segment = this.#segment(filter.segment)
      return say(isNegated ? filterSentenceText.notInSegment : filterSentenceText.inSegment, { segment })
    }
    if ('entity' in filter) return this.#entity(filter, isNegated)
    // An empty object is a negation's part that has not been filled in yet.
    return Object.keys(filter).length === 0 ? filterSentenceText.open : this.#userTest(filter, isNegated)
  }

  /** Returns a condition on a line of its own: "e-mail contains “@”", "has a car (make is “Volvo”)". */
  alone(filter: Filter): string {
    const { alone } = filterSentenceText
    if ('segment' in filter) return say(alone.inSegment, { segment: this.#segment(filter.segment) })
    if ('entity' in filter) return this.#has(filter, alone)
    if (!('user' in filter)) return this.clause(filter)
    const { user, op, value } = filter
    if (user === 'account' && op === 'eq' && typeof value === 'boolean')
      return value ? alone.account.yes : alone.account.no
    return this.fieldTest(filter)
  }

  /** Returns the clause of a part, in brackets if its "and" or "or" could be confused with the group's. */
  #part(filter: Filter, isNegated: boolean): string {
    const clause = this.clause(filter, isNegated)
    return isLongGroup(filter) ? say(filterSentenceText.group, { clause }) : clause
  }

  #segment(id: string): string {
    const name = this.#context.segmentName?.(id)
    if (name !== undefined) return quote(name)
    return id === '' ? filterSentenceText.open : shortId(id)
  }

  #entity(filter: EntityTest, isNegated: boolean): string {
    const { entity, min, where = [] } = filter
    const [only, ...others] = where
    if (only && others.length === 0 && !isNegated && (min ?? 1) === 1 && isPlain(only) && entity !== '')
      return this.#whose(entity, only)
    const { has, hasAtLeast, hasNot, hasFewer } = filterSentenceText
    return this.#has(filter, isNegated ? { has: hasNot, hasAtLeast: hasFewer } : { has, hasAtLeast })
  }

  #has({ entity, min, where = [] }: EntityTest, phrases: HasPhrases): string {
    const type = entity || filterSentenceText.open
    // A filter typed as JSON may hold any value here.
    const has = hasThing(type, Number.isFinite(min) ? min : undefined, phrases)
    if (where.length === 0) return has
    const tests = where.map((test) => {
      const said = this.propertyTest(entity, test, filterSentenceText.propertyWithin)
      return test.orMissing === true && where.length > 1
        ? say(filterSentenceText.group, { clause: said })
        : said
    })
    return say(filterSentenceText.where, { has, tests: joinList(filterSentenceText.and, tests) })
  }

  /** Returns the clause of a test. It names the entity, except for a property of `person` that is no user field. */
  #whose(type: string, test: PropertyTest): string {
    const isOwn = type === ownType && !(test.key in userFields)
    return isOwn
      ? this.propertyTest(type, test, filterSentenceText.whoseProperty)
      : this.entityTest(type, test, filterSentenceText.whoseEntity)
  }

  #userTest(test: UserTest, isNegated: boolean): string {
    const { user, op, value } = test
    if (user === 'account' && op === 'eq' && typeof value === 'boolean')
      return value === isNegated ? filterSentenceText.account.no : filterSentenceText.account.yes
    if (user !== 'account' && asksForPresence(op)) {
      const isWith = (op === 'exists') !== isNegated
      return isWith ? filterSentenceText.withField[user] : filterSentenceText.withoutField[user]
    }
    const phrase =
      isNegated && !isAlwaysThere(user) ? filterSentenceText.whoseFieldIfAny : filterSentenceText.whoseField
    return this.fieldTest(test, phrase, isNegated)
  }

  fieldTest(test: UserTest, phrase = filterSentenceText.field, isNegated = false): string {
    const { user } = test
    const predicate = this.#predicate(userFields[user], test, isNegated)
    return say(phrase, { field: filterSentenceText.fields[user], ...predicate })
  }

  briefTest(type: string, test: PropertyTest): string {
    const { ofType, propertyWithin } = filterSentenceText
    if (type !== ownType) return this.entityTest(type, test, ofType)
    return this.propertyTest(type, test, propertyWithin)
  }

  entityTest(type: string, test: PropertyTest, phrase: typeof filterSentenceText.ofType): string {
    const nouns = { type: nounOf(type, 'name'), thing: nounOf(type, 'one') }
    return this.propertyTest(type, test, (parts) => say(phrase, { ...nouns, ...parts }))
  }

  propertyTest(
    entityType: string,
    test: PropertyTest,
    phrase: Phrase<PropertyParts>,
    known = propertyLabel(entityType, test.key),
  ): string {
    const { type, orMissing, sensitive } = test
    const label = known || filterSentenceText.open
    const predicate = this.#predicate(type, nameChoices(entityType, test), false)
    const plainly = say(phrase, { label, smallLabel: withSmallLetter(label), ...predicate })
    const said =
      sensitive === undefined
        ? plainly
        : say(sensitive ? filterSentenceText.sensitive : filterSentenceText.notSensitive, { test: plainly })
    return orMissing === true ? say(filterSentenceText.orMissing, { test: said }) : said
  }

  #predicate(type: DataType, test: TestedValue, isNegated: boolean) {
    if (countsDays(type, test)) this.countsDays = true
    const phrase = (isNegated ? filterSentenceText.opposites : filterSentenceText.predicates)[test.op]
    const operands = operandsOf(type, test)
    return {
      predicate: say(phrase, { ...operands, clause: 'main' }),
      subordinate: say(phrase, { ...operands, clause: 'subordinate' }),
    }
  }
}

/** Returns the test with the labels of choices as the values that it compares with: "German" for `de`. */
function nameChoices(entityType: string, test: PropertyTest): TestedValue {
  const name = (value: unknown) => choiceLabel(entityType, test.key, value) ?? value
  const { op, value } = test
  return operandOf(op) === 'fragment'
    ? test
    : { ...test, value: Array.isArray(value) ? value.map(name) : name(value) }
}

/** Returns a clause such as "who have a car" or "who don’t have 2 or more cars". */
function hasThing(type: string, min: number | undefined, { has, hasAtLeast }: HasPhrases): string {
  if (min === undefined || min === 1)
    return say(has, { thing: nounOf(type, 'one'), noThing: nounOf(type, 'none') })
  return say(hasAtLeast, { min, things: nounOf(type, 'counted', min) })
}

export type Match = 'all' | 'any' | 'not'

type Groups = { readonly all: unknown } | { readonly any: unknown } | { readonly not: unknown }

/** Returns the parts of a group and how they match. Accepts both a filter and an evaluated filter. */
export function groupOf<Of extends Filter | Judged>(group: Of & Groups) {
  const { all, any, not } = group as { readonly [match in Match]?: unknown }
  const match: Match = all ? 'all' : any ? 'any' : 'not'
  return { match, parts: (all ?? any ?? [not]) as readonly (Of extends Judged ? Judged : Filter)[] }
}

/** Returns the noun for an entity type: "a car" (one), "an entity of type race horse" (one), "cars" (counted). */
export function nounOf(type: string, form: NounParts['form'], count = 1): string {
  const { nouns, otherNoun } = filterSentenceText
  const label = typeLabel(type)
  const isDefined = label !== readable(type)
  const noun = !isDefined && Object.hasOwn(nouns, type) ? nouns[type] : undefined
  return noun === undefined
    ? say(otherNoun, { form, count, type: isDefined ? label : type.replaceAll(/[_-]+/g, ' ') })
    : say(noun, { form, count })
}
