import { fold, spelledLetters, unspacedLetters } from '#contract/index.ts'
import { spellingsOf } from '../entities/spelled-emails.ts'

/** Code points of a term that are kept; a longer query is compared as far as this. */
const maxTermLength = 100

/** Words of one field from which on it is found: a sentence in a name does not fill the index. */
const maxFieldStarts = 12

/** Additional starts in scripts that write words without blanks. */
const maxInnerStarts = 24

/** Greater than every text that begins with what it is put behind, in the order of code points (`collate "C"`). */
export const afterAll = '\u{10ffff}'

/** A text under which a user is found. */
export interface Term {
  readonly term: string
  /** True: the term is the whole name. */
  readonly name: boolean
}

/** The fields by which a user is found; null: not given. */
export interface TermFields {
  readonly email: string | null
  readonly name: string | null
  readonly ref: string | null
}

/**
 * Normalizes text for comparison: without case, accents and width of letters (`fold`, NFKC), words separated by one
 * space. The space sorts below every character of a word, so whole words come before longer ones in the order of terms.
 */
export function searchText(value: string): string {
  const plain = fold(value.normalize('NFKC'))
    .normalize('NFD')
    .replace(accents, '')
    .replace(invisible, '')
    .replace(undecomposed, (letter) => spelledLetters[letter] ?? letter)
    .normalize('NFC')
  return plain.replace(between, ' ').trim()
}

export function wordsOf(text: string): string[] {
  return text === '' ? [] : text.split(' ')
}

/** The first so many code points, as a term has them. */
export function cutTerm(text: string): string {
  // No code point is more than two of the units that `length` counts.
  return text.length <= maxTermLength ? text : Array.from(text).slice(0, maxTermLength).join('').trimEnd()
}

/**
 * The terms of a user: name, e-mail and ref, each from the beginning of every word on, so that the beginning of a term
 * is a beginning of words anywhere in the field. The domain of an e-mail stands in both of its spellings. In a name the words before follow at the end: `Ana Lopez` is also
 * `lopez ana`. `O’Brien` is also `obrien`, `山田太郎` also `太郎`. A name in which nothing can be searched for has the empty term, which no search
 * finds: every name stands in the order of names.
 */
export function termsOf({ name, email, ref }: TermFields): Term[] {
  const terms = new Set([
    ...(email === null ? [] : spellingsOf(email)).flatMap((spelling) => starts(spelling, false)),
    ...starts(ref, false),
    ...starts(name, true),
  ])
  const wholeName = name === null ? undefined : cutTerm(searchText(name))
  if (wholeName === '') terms.add('')
  return Array.from(terms, (term) => ({ term, name: term === wholeName }))
}

function starts(field: string | null, turning: boolean): string[] {
  if (field === null) return []
  const texts = new Set([searchText(field), searchText(field.replace(apostrophes, ''))])
  const ofWords = Array.from(texts, wordsOf).flatMap((words) =>
    words
      .slice(0, maxFieldStarts)
      .map((_, at) => cutTerm([...words.slice(at), ...(turning ? words.slice(0, at) : [])].join(' '))),
  )
  return [...ofWords, ...Array.from(texts).flatMap(innerStarts)]
}

/** Each letter of a script without blanks begins something, and blanks between such letters may be left out. */
function innerStarts(text: string): string[] {
  if (!unspaced.test(text)) return []
  const solid = text.replace(blankBetween, '')
  const starts = Array.from(solid.matchAll(innerLetter), ({ index }) => cutTerm(solid.slice(index)))
  return [cutTerm(solid), ...starts.slice(0, maxInnerStarts)]
}

// Marks upon Latin, Greek, Cyrillic, Hebrew and Arabic letters. The vowel signs of Indic scripts and the voicing marks
// of Japanese are no accents: without them these are other words.
const accents =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g
// Joiners, direction marks, variation selectors, soft hyphens; and the one that bounds a range (`afterAll`).
const invisible = /[\p{Cf}\u{fe00}-\u{fe0f}\u{10ffff}]/gu
const apostrophes = /['’‘ʼʻ`´′＇]/g
const between = /[\p{P}\p{Z}\p{Cc}\p{Sm}\p{Sc}\p{Sk}ʼʻ]+/gu

const unspaced = new RegExp(`[${unspacedLetters}]`, 'u')
const blankBetween = new RegExp(`(?<=[${unspacedLetters}]\\p{M}*) (?=[${unspacedLetters}])`, 'gu')
const innerLetter = new RegExp(`(?<=[${unspacedLetters}]\\p{M}*)(?!\\p{M})[${unspacedLetters}]`, 'gu')

const undecomposed = new RegExp(`[${Object.keys(spelledLetters).join('')}]`, 'g')
