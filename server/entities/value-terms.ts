import { type RawBuilder, sql } from 'kysely'

import { emailKey, fold } from '#contract/index.ts'
import { everyUser, type OnlyUsers } from '../store/sql.ts'
import { spellingsOf } from './spelled-emails.ts'

/** A search term that finds a user by a property. */
export interface ValueTerm {
  readonly key: string
  readonly term: string
}

/** Longer texts are not indexed: people do not read them out. */
const maxValueTermLength = 64
const minTerm = 3
/** Number of beginnings per text: parts further back in a plate or an order number identify nothing. */
const maxValueStarts = 4
/** Possible lengths of a country calling code. */
const codeDigits = [1, 2, 3]
const minNational = 5

interface Valued {
  readonly type: string
  readonly sensitive: boolean
  readonly value?: unknown
}

/** Reduces a text to letters and digits, ignoring case, accents and width. */
function compact(text: string): string {
  return fold(text.normalize('NFKC'))
    .normalize('NFD')
    .replace(/[^\p{L}\p{Nd}]/gu, '')
}

const isDigits = (text: string) => /^\d+$/.test(text)
const withoutZeros = (digits: string) => digits.replace(/^0+/, '')
/** Whether a number has an international prefix. */
const isInternational = (text: string) => /^\s*(\+|00)/.test(text)
/** Returns the candidates for the national number, without a calling code of one to three digits. */
const nationals = (digits: string) =>
  codeDigits.map((length) => digits.slice(length)).filter((rest) => rest.length >= minNational)

/**
 * Returns search terms for values that people read out: e-mails, and texts with a digit (phones, plates, order
 * numbers), in the forms in which they are typed: `0612` also finds `+33 6 12-34-56`. A NUMBER is found only as a
 * whole; its beginnings would match too many users. Sensitive values have no terms.
 */
export function valueTermsOf(properties: Readonly<Record<string, Valued>>): ValueTerm[] {
  return Object.entries(properties).flatMap(([key, { type, sensitive, value }]) => {
    if (sensitive) return []
    if (type === 'NUMBER') return isWhole(value) ? [{ key, term: wholeNumber(String(value)) }] : []
    if (
      typeof value !== 'string' ||
      value.length > maxValueTermLength ||
      (type !== 'TEXT' && type !== 'EMAIL')
    )
      return []
    if (type === 'TEXT' && !/\p{Nd}/u.test(value.normalize('NFKC'))) return []
    const spellings = type === 'EMAIL' ? spellingsOf(value) : [inWesternDigits(value)]
    return Array.from(new Set(spellings.flatMap((each) => Array.from(startsOf(each)))), (term) => ({
      key,
      term,
    }))
  })
}

const isWhole = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 10 ** (minTerm - 1)
/** Marks a whole number with a character that no text's term contains. */
const wholeNumber = (digits: string) => `#${digits}`

function startsOf(value: string): Set<string> {
  const whole = compact(value)
  const starts = isDigits(whole)
    ? [whole, withoutZeros(whole), ...(isInternational(value) ? nationals(withoutZeros(whole)) : [])]
    : value
        .split(/[^\p{L}\p{M}\p{Nd}]+/u)
        .map((_, at, groups) => compact(groups.slice(at).join('')))
        .filter((start) => start === whole || /\d/.test(start))
        .slice(0, maxValueStarts)
  return new Set(starts.filter((start) => start.length >= minTerm))
}

interface SoughtTerms {
  readonly beginnings: readonly string[]
  readonly wholes: readonly string[]
}

/**
 * Returns the terms for a typed text: possible beginnings, and whole terms. Empty if the text is too short, or has
 * neither a digit nor an `@`.
 */
export function searchTerms(typed: string): SoughtTerms {
  const [given, western] = [termsSoughtBy(typed), termsSoughtBy(inWesternDigits(typed))]
  return {
    beginnings: [...new Set([...given.beginnings, ...western.beginnings])],
    wholes: [...new Set([...given.wholes, ...western.wholes])],
  }
}

/** Replaces digits of other scripts by 0 to 9: a phone number may be stored in one script and dictated in another. */
export function inWesternDigits(text: string): string {
  return text.normalize('NFKC').replace(/(?!\d)\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    // In Unicode, the ten digits of a script are consecutive (UAX 44, Numeric_Type=Decimal).
    let zero = code
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
    return String(code - zero)
  })
}

function termsSoughtBy(typed: string): SoughtTerms {
  const whole = compact(typed)
  const email = compact(emailKey(typed))
  const isSought = whole.length >= minTerm && /[\d@]/.test(typed.normalize('NFKC'))
  if (!isSought) return { beginnings: [], wholes: [] }
  if (!isDigits(whole)) return { beginnings: [...new Set([whole, email])], wholes: [] }
  const number = withoutZeros(whole)
  const beginnings = [whole, number, ...(isInternational(typed) ? nationals(number) : [])]
  return {
    beginnings: [...new Set(beginnings)].filter((term) => term.length >= minTerm),
    wholes: number === '' ? [] : [wholeNumber(number)],
  }
}

/** The terms of an entity. */
export interface EntityTerms {
  readonly user: string
  readonly id: string
  readonly terms: readonly ValueTerm[]
}

/** Returns terms as rows of `user`, `id`, `key` and `term`. */
function termRows(entities: readonly EntityTerms[]): RawBuilder<unknown> {
  const rows = entities.flatMap(({ user, id, terms }) => terms.map((each) => ({ ...each, user, id })))
  return sql`unnest(${rows.map(({ user }) => user)}::uuid[], ${rows.map(({ id }) => id)}::uuid[],
    ${rows.map(({ key }) => key)}::text[], ${rows.map(({ term }) => term)}::text[]) as row ("user", id, key, term)`
}

/** Returns the statement that inserts the terms that entities do not have yet. */
export function valueTermsInsert(
  entities: readonly EntityTerms[],
  only: OnlyUsers = everyUser,
): RawBuilder<unknown> {
  return sql`
    insert into value_terms (user_id, entity_id, key, term)
    select "user", id, key, term from ${termRows(entities)} where ${only(sql`"user"`)}
    on conflict on constraint value_terms_pkey do nothing`
}

/** Returns the statement that deletes those terms of entities that they no longer have. */
export function valueTermsDelete(entities: readonly EntityTerms[]): RawBuilder<unknown> {
  return sql`
    delete from value_terms where user_id = any(${entities.map(({ user }) => user)}::uuid[])
      and entity_id = any(${entities.map(({ id }) => id)}::uuid[])
      and (entity_id, key, term) not in (select id, key, term from ${termRows(entities)})`
}
