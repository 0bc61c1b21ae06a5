import type { Operator, UserField } from '#contract/index.ts'
import type { ListParts, Phrase } from './phrase.ts'

/** Parts of the noun of an entity type. */
export interface NounParts {
  /**
   * Form of the noun. one: "a car" that somebody has; none: a car that somebody does not have; counted: "cars" after a
   * number; name: "car".
   */
  readonly form: 'one' | 'none' | 'counted' | 'name'
  /** Number before the form `counted`; 1 for the other forms. */
  readonly count: number
}

/** Parts of "who have a car" and "who don’t have a car". */
interface ThingParts {
  /** Noun with its article: "a car". */
  readonly thing: string
  /**
   * Noun after a negated verb: "a car" in "don’t have a car". Separate for languages that negate the noun, as in "kein
   * Auto".
   */
  readonly noThing: string
}

/** Parts of "who have 2 or more cars". */
interface ThingsParts {
  readonly min: number
  /** Plural noun after the number `min`: "cars". */
  readonly things: string
}

/** Predicate in two word orders, of which each message takes the one that fits its clause. */
interface Predicate {
  /** Main-clause order: "is “Volvo”" in "make is “Volvo”". */
  readonly predicate: string
  /** Subordinate-clause order: "is “Volvo”" in "whose make is “Volvo”". */
  readonly subordinate: string
}

/** Parts of a sentence about a property. */
export interface PropertyParts extends Predicate {
  /** Label of the property: "First registration". */
  readonly label: string
  /**
   * Label within a sentence: "first registration". For languages whose nouns are not capitalised; abbreviations such
   * as "IBAN" keep their case.
   */
  readonly smallLabel: string
}

/** Parts of a sentence about a property of an entity. */
interface EntityPropertyParts extends PropertyParts {
  /** Entity type: "car". */
  readonly type: string
  /** Entity type with its article: "a car". */
  readonly thing: string
}

interface FieldParts extends Predicate {
  readonly field: string
}

/** Kinds of values that need different words around them: "is on Mar 1", but "is 09:30". */
export type ValueKind = 'day' | 'moment' | 'ago' | 'ahead' | 'time' | 'masked' | 'other'

export interface PredicateParts {
  readonly clause: 'main' | 'subordinate'
  readonly value: string
  readonly kind: ValueKind
  /** End of a range. */
  readonly to: string
  readonly toKind: ValueKind
  /** Time span: "the last 30 days", "the next month". */
  readonly span: string
}

export type SpanDirection = 'last' | 'next'
export type DurationUnit = 'years' | 'months' | 'weeks' | 'days' | 'hours' | 'minutes' | 'seconds'

export interface UnitParts {
  readonly count: number
  /**
   * Words around the duration, which may require a grammatical case: "2 weeks ago" (ago), "2 weeks from now" (ahead),
   * "the last 2 weeks" (last).
   */
  readonly within: 'itself' | 'ago' | 'ahead' | SpanDirection
}

interface WholeSentenceParts {
  readonly clause: string
  /** End of the clause. open: it ends with an ellipsis for a value that is still missing. */
  readonly end: 'open' | 'closed'
}

interface PreferenceParts {
  readonly status: string
  readonly dates: 'both' | 'since' | 'until' | 'none'
  readonly since: string
  readonly until: string
}

/** Messages that build the sentence describing whom a filter matches, with the parts available to each. */
export interface FilterSentenceText {
  readonly custom: string
  readonly open: string
  readonly hidden: string
  readonly hiddenSpan: string
  readonly everyone: string
  readonly nobody: string
  readonly users: Phrase<WholeSentenceParts>
  readonly allExcept: Phrase<WholeSentenceParts>
  readonly daysIn: Phrase<{ readonly zone: string }>
  readonly withDays: Phrase<{ readonly sentence: string; readonly zone: string }>
  readonly and: Phrase<ListParts>
  readonly or: Phrase<ListParts>
  readonly oneOf: Phrase<ListParts>
  readonly group: Phrase<{ readonly clause: string }>
  readonly whoAnyone: string
  readonly whoNobody: string
  readonly inSegment: Phrase<{ readonly segment: string }>
  readonly notInSegment: Phrase<{ readonly segment: string }>
  readonly fields: Readonly<Record<UserField, string>>
  readonly field: Phrase<FieldParts>
  readonly whoseField: Phrase<FieldParts>
  readonly whoseFieldIfAny: Phrase<FieldParts>
  readonly withField: Readonly<Record<Exclude<UserField, 'account'>, string>>
  readonly withoutField: Readonly<Record<Exclude<UserField, 'account'>, string>>
  readonly account: { readonly yes: string; readonly no: string }
  readonly nouns: Readonly<Record<string, Phrase<NounParts>>>
  readonly otherNoun: Phrase<NounParts & { readonly type: string }>
  readonly ofType: Phrase<EntityPropertyParts>
  readonly whoseEntity: Phrase<EntityPropertyParts>
  readonly whoseProperty: Phrase<PropertyParts>
  readonly has: Phrase<ThingParts>
  readonly hasNot: Phrase<ThingParts>
  readonly hasAtLeast: Phrase<ThingsParts>
  readonly hasFewer: Phrase<ThingsParts>
  readonly where: Phrase<{ readonly has: string; readonly tests: string }>
  readonly alone: {
    readonly inSegment: Phrase<{ readonly segment: string }>
    readonly account: { readonly yes: string; readonly no: string }
    readonly has: Phrase<ThingParts>
    readonly hasAtLeast: Phrase<ThingsParts>
    readonly where: Phrase<{ readonly has: string }>
  }
  readonly property: Phrase<PropertyParts>
  readonly propertyWithin: Phrase<PropertyParts>
  readonly orMissing: Phrase<{ readonly test: string }>
  readonly sensitive: Phrase<{ readonly test: string }>
  readonly notSensitive: Phrase<{ readonly test: string }>
  readonly predicates: Readonly<Record<Operator, Phrase<PredicateParts>>>
  readonly opposites: Readonly<Record<Operator, Phrase<PredicateParts>>>
  readonly text: Phrase<{ readonly value: string }>
  readonly yes: string
  readonly no: string
  readonly amount: Phrase<{ readonly value: string; readonly currency: string }>
  readonly relationship: {
    readonly user: Phrase<{ readonly user: string }>
    readonly entity: Phrase<{ readonly user: string; readonly entity: string }>
  }
  readonly preference: Readonly<Record<string, string>>
  readonly preferenceOf: Phrase<PreferenceParts>
  readonly units: Readonly<Record<DurationUnit, Phrase<UnitParts>>>
  readonly duration: Phrase<ListParts>
  readonly ago: Phrase<{ readonly duration: string }>
  readonly ahead: Phrase<{ readonly duration: string }>
  readonly span: Phrase<{ readonly duration: string; readonly direction: SpanDirection }>
  readonly singleSpan: Readonly<Record<DurationUnit, Phrase<{ readonly direction: SpanDirection }>>>
}
