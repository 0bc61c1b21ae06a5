import { JsonNumber } from '../common.ts'
import { type DataType, readNewValue, readValue, type ValueIssue } from '../property-value.ts'
import { findHidden, trimEnds } from '../visible.ts'
import { amountsIn } from './amounts.ts'
import { asInstant, datesIn, instantsIn, timesIn } from './moments.ts'
import type { Notation } from './notation.ts'
import { numbersIn } from './numbers.ts'
import { isBlank, type Parts } from './parts.ts'

export interface ReadingIssue extends ValueIssue {
  /** Form that the text does not have; absent if it has it, and is refused for another reason. */
  readonly expected?: 'number' | 'one number' | 'date' | 'datetime'
}

/** Meaning of a text: one value, several of which the likelier comes first, or none. */
export type Meaning =
  | { readonly value: unknown; readonly ambiguous?: never; readonly problem?: never }
  | { readonly ambiguous: readonly unknown[]; readonly value?: never; readonly problem?: never }
  | { readonly problem: readonly ReadingIssue[]; readonly value?: never; readonly ambiguous?: never }

/**
 * Reads a value whose parts are written as the contract writes them, but for numbers, which are read in any notation.
 * No text is null, except as TEXT.
 */
export function readParts(type: DataType, written: Parts, notation: Notation): Meaning {
  if (type === 'TEXT') return readingOf(readValue(type, written.text))
  if (isBlank(written)) return { value: null }
  const text = trimEnds(written.text)
  const entity = trimEnds(written.entity ?? '')
  switch (type) {
    case 'BOOLEAN': {
      const word = text.toLowerCase()
      return readingOf(readValue(type, word === 'true' || word === 'false' ? word === 'true' : text))
    }
    case 'NUMBER':
    case 'DECIMAL':
      return readNumber(type, text, notation)
    case 'CURRENCY':
      return readAmount(text, trimEnds(written.currency ?? '').toUpperCase(), notation)
    case 'DATETIME':
      return readingOf(readValue(type, asInstant(text)), 'datetime', text)
    case 'DATE':
      return readingOf(readValue(type, text), 'date', text)
    case 'RELATIONSHIP':
      return readingOf(readValue(type, { user: text, ...(entity !== '' && { entity }) }))
    case 'PREFERENCE':
      return readConsent({ ...written, text })
    case 'TIME':
    case 'EMAIL':
    case 'URL':
      return readingOf(readValue(type, text))
  }
}

/** Reads a text that a person wrote, in any notation. */
export function readText(type: DataType, written: Parts, notation: Notation): Meaning {
  const exact = readParts(type, written, notation)
  if (!exact.problem) return exact
  const [value, ...others] = meaningsOf(type, written, notation)
  if (value === undefined) return exact
  return others.length === 0 ? { value } : { ambiguous: [value, ...others] }
}

/** Returns the values that the text may mean in another notation than the contract's, the likelier first. */
export function meaningsOf(type: DataType, written: Parts, notation: Notation): readonly unknown[] {
  const text = trimEnds(written.text.replace(/\s+/g, ' '))
  if (text === '') return []
  const values = candidates(type, text, written, notation).flatMap((candidate) => {
    const read = readValue(type, candidate)
    return read.issues ? [] : [read.value]
  })
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}

function candidates(type: DataType, text: string, written: Parts, notation: Notation): readonly unknown[] {
  switch (type) {
    case 'BOOLEAN':
      return /^(?:yes|y|on|1)$/i.test(text) ? [true] : /^(?:no|n|off|0)$/i.test(text) ? [false] : []
    case 'NUMBER':
      return numbersIn(text, notation).map((number) => new JsonNumber(number))
    case 'DECIMAL':
      return numbersIn(text, notation)
    case 'CURRENCY':
      return amountsIn(text, (written.currency ?? '').trim().toUpperCase(), notation)
    case 'DATE':
      return datesIn(text, notation.language)
    case 'TIME':
      return timesIn(text)
    case 'DATETIME':
      return instantsIn(text, notation.language).map(asInstant)
    case 'EMAIL': {
      const [, inner] = /<([^<>]+)>$/.exec(text) ?? /^mailto:([^?]+)/i.exec(text) ?? []
      return [(inner ?? text).trim().replace(/[.,;]+$/, '')]
    }
    case 'URL': {
      const [, bare = text] = /^<(.+)>$/.exec(text) ?? []
      // A missing scheme is ambiguous, so both are offered.
      return /^[\w-]+(?:\.[\w-]+)+(?:[/:?#]|$)/.test(bare) ? [`https://${bare}`, `http://${bare}`] : [bare]
    }
    case 'RELATIONSHIP':
      return targetsIn(text)
    case 'TEXT':
    case 'PREFERENCE':
      return []
  }
}

function readNumber(type: 'NUMBER' | 'DECIMAL', text: string, notation: Notation): Meaning {
  const [number = text, ...others] = numbersIn(text, notation)
  if (others.length > 0)
    return { ambiguous: [number, ...others].map((each) => (type === 'NUMBER' ? Number(each) : each)) }
  // Exponents are written identically in all notations.
  if (type === 'NUMBER' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(number))
    return readingOf(readValue(type, new JsonNumber(number)))
  return readingOf(readValue(type, number), 'number', text)
}

function readAmount(text: string, currency: string, notation: Notation): Meaning {
  const amount = readNumber('DECIMAL', text, notation)
  const read = readValue('CURRENCY', { currency, value: amount.value ?? '0' })
  if (amount.ambiguous && !read.issues)
    return { ambiguous: amount.ambiguous.map((value) => ({ currency, value })) }
  const ofAmount = amount.ambiguous ? [twoNumbers] : (amount.problem ?? [])
  const problem = [...ofAmount, ...(read.issues ?? [])]
  return problem.length > 0 ? { problem } : readingOf(read)
}

const twoNumbers: ReadingIssue = {
  path: [],
  detail: 'This number can be read in two ways.',
  expected: 'one number',
}

function readConsent({ text, statusDate = '', expires = '' }: Parts): Meaning {
  const given = Object.entries({ statusDate, expires }).flatMap(([part, date]) => {
    const instant = asInstant(trimEnds(date))
    return instant === '' ? [] : [[part, instant] as const]
  })
  const read = readNewValue('PREFERENCE', { status: text.toUpperCase(), ...Object.fromEntries(given) })
  const wrong = given.filter(([, instant]) => readValue('DATETIME', instant).issues)
  if (!read.issues || wrong.length === 0) return readingOf(read)
  return {
    problem: read.issues.flatMap((issue) => {
      const instant = wrong.find(([part]) => part === issue.path[0])?.[1]
      return instant === undefined ? [issue] : withExpected([issue], 'datetime', instant)
    }),
  }
}

/** Returns a reading; its issues say that `text` has not the expected form, or else which hidden character it has. */
function readingOf(
  read: ReturnType<typeof readValue>,
  expected?: ReadingIssue['expected'],
  text = '',
): Meaning {
  if (!read.issues) return { value: read.value }
  return { problem: expected ? withExpected(read.issues, expected, text) : read.issues }
}

function withExpected(
  issues: readonly ValueIssue[],
  expected: NonNullable<ReadingIssue['expected']>,
  text: string,
): readonly ReadingIssue[] {
  const hidden = findHidden(text)
  return issues.map((issue) => (hidden === undefined ? { ...issue, expected } : { ...issue, detail: hidden }))
}

/** Returns the ids of a user and an entity in a text: alone, or in an address of the console or the API. */
function targetsIn(text: string): readonly { readonly user: string; readonly entity?: string }[] {
  const target = targetAt(text)
  if (target) return [target]
  const ids = [...text.matchAll(/[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}/gi)].map(
    ([id]) => id.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  )
  const [user, entity, ...others] = ids
  if (user === undefined || others.length > 0) return []
  return [{ user, ...(entity !== undefined && { entity }) }]
}

/** Extracts the ids from an address of the console or the API; undefined if the text has none. */
export function targetAt(text: string): { readonly user: string; readonly entity?: string } | undefined {
  const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
  const [, user, entity] = new RegExp(`users?/(${uuid})(?:/entities/(${uuid}))?`, 'i').exec(text) ?? []
  return user === undefined ? undefined : { user, ...(entity !== undefined && { entity }) }
}
