import { type RawBuilder, sql } from 'kysely'

import { emailKey } from '#contract/index.ts'
import { everyUser, isOneOf, type OnlyUsers } from '../store/sql.ts'
import { spellingsOf } from './spelled-emails.ts'
import { foldLetters, inLatinLetters, inWesternDigits } from './spelling/letters.ts'
import { phoneTermsOf, soughtPhones } from './spelling/phones.ts'

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

interface Valued {
  readonly type: string
  readonly sensitive: boolean
  readonly value?: unknown
}

/** Reduces a text to letters and digits. */
const compact = (text: string) =>
  foldLetters(text)
    .normalize('NFD')
    .replace(/[^\p{L}\p{Nd}]/gu, '')

const isDigits = (text: string) => /^\d+$/.test(text)
const withoutZeros = (digits: string) => digits.replace(/^0+/, '')

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
    const terms =
      type === 'EMAIL'
        ? spellingsOf(value).flatMap(startsOf)
        : [...codeTermsOf(value), ...phoneTermsOf(value)]
    return Array.from(new Set(terms), (term) => ({ key, term }))
  })
}

const isWhole = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 10 ** (minTerm - 1)
/** Marks a whole number with a character that no text's term contains. */
const wholeNumber = (digits: string) => `#${digits}`

/** Returns the terms of a text that may be a code; a code in letters that look like Latin ones has theirs too. */
export function codeTermsOf(value: string): string[] {
  const terms = startsOf(value)
  return [...terms, ...terms.flatMap(latinCode)]
}

/** Returns a compact text in the Latin letters that it looks like, if it is a code: only codes have letters and digits. */
const latinCode = (code: string) => (/\d/.test(code) ? [inLatinLetters(code) ?? []].flat() : [])

function startsOf(value: string): string[] {
  const whole = compact(value)
  const starts = isDigits(whole)
    ? [whole, withoutZeros(whole)]
    : value
        .split(/[^\p{L}\p{M}\p{Nd}]+/u)
        .map((_, at, groups) => compact(groups.slice(at).join('')))
        .filter((start) => start === whole || /\d/.test(start))
        .slice(0, maxValueStarts)
  return starts.filter((start) => start.length >= minTerm)
}

/** Returns a typed text as the code that it may be, as `codeTermsOf` has the stored one; empty if it is too short. */
export function codesSoughtBy(typed: string): string[] {
  const whole = compact(typed)
  return whole.length < minTerm ? [] : [whole, ...latinCode(whole)]
}

interface SoughtTerms {
  readonly beginnings: readonly string[]
  readonly wholes: readonly string[]
  /** Beginnings of phone numbers without the code of the typed country. They do not find those of another country. */
  readonly withoutCode: readonly string[]
}

/**
 * Returns the terms for a typed text: possible beginnings, and whole terms. Empty if the text is too short, or has
 * neither a digit nor an `@`.
 */
export function searchTerms(typed: string): SoughtTerms {
  const text = inWesternDigits(typed)
  const [whole, ...latin] = codesSoughtBy(text)
  if (whole === undefined || !/[\d@]/.test(text)) return { beginnings: [], wholes: [], withoutCode: [] }
  if (!isDigits(whole) && text.includes('@'))
    return { beginnings: [...new Set([whole, compact(emailKey(text))])], wholes: [], withoutCode: [] }
  const { forms, withoutCode } = soughtPhones(text)
  if (!isDigits(whole))
    return { beginnings: [...new Set([whole, ...latin, ...forms])], wholes: [], withoutCode }
  const number = withoutZeros(whole)
  return {
    beginnings: [...new Set([whole, number, ...forms])].filter((term) => term.length >= minTerm),
    wholes: number === '' ? [] : [wholeNumber(number)],
    withoutCode,
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
    delete from value_terms where user_id ${isOneOf(entities.map(({ user }) => user))}
      and entity_id ${isOneOf(entities.map(({ id }) => id))}
      and (entity_id, key, term) not in (select id, key, term from ${termRows(entities)})`
}
