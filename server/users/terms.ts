import { fold, spelledLetters, unspacedLetters } from '#contract/index.ts'
import { spellingsOf } from '../entities/spelled-emails.ts'

/** Maximum length of a term in code points; a longer query is compared only up to this. */
const maxTermLength = 100

/** Maximum number of words of one field that start a term, so that a sentence in a name does not fill the index. */
const maxFieldStarts = 12

/** Maximum number of additional terms of one field in scripts without spaces between words. */
const maxInnerStarts = 24

/** Suffix that sorts after every text with the same beginning, by code point (`collate "C"`). */
export const afterAll = '\u{10ffff}'

/** A text that a search finds the user by. */
export interface Term {
  readonly term: string
  /** Whether the term is the whole name. */
  readonly name: boolean
}

/** The fields that a search finds a user by; null if not given. */
export interface TermFields {
  readonly email: string | null
  readonly name: string | null
  readonly ref: string | null
}

/**
 * Normalizes text for comparison: ignores case, accents and letter width (`fold`, NFKC) and separates words by one
 * space. The space sorts below every character of a word, so whole words come before longer ones in the order of
 * terms.
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

/** Cuts a text to the maximum length of a term. */
export function cutTerm(text: string): string {
  // A text never has more code points than `length` counts units, so a short one needs no splitting.
  return text.length <= maxTermLength ? text : Array.from(text).slice(0, maxTermLength).join('').trimEnd()
}

/**
 * Returns the terms of a user. Name, e-mail and ref each give one term per word, from that word to the end, so that
 * the beginning of a term is the beginning of words anywhere in the field. The domain of an e-mail is included in both
 * spellings. In a name the preceding words are appended: `Ana Lopez` is also `lopez ana`. `O’Brien` is also `obrien`,
 * `山田太郎` also `太郎`. A name without searchable characters has the empty term, which no search finds: every name must
 * have its place in the order of names.
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

/**
 * Returns the terms of a text in a script without spaces: each letter starts one, and spaces between such letters may
 * be omitted.
 */
function innerStarts(text: string): string[] {
  if (!unspaced.test(text)) return []
  const solid = text.replace(blankBetween, '')
  const starts = Array.from(solid.matchAll(innerLetter), ({ index }) => cutTerm(solid.slice(index)))
  return [cutTerm(solid), ...starts.slice(0, maxInnerStarts)]
}

// Marks on Latin, Greek, Cyrillic, Hebrew and Arabic letters. Vowel signs of Indic scripts and Japanese voicing marks
// are not accents: without them the words are different.
const accents =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g
// Joiners, direction marks, variation selectors, soft hyphens, and the character that ends a range (`afterAll`).
const invisible = /[\p{Cf}\u{fe00}-\u{fe0f}\u{10ffff}]/gu
const apostrophes = /['’‘ʼʻ`´′＇]/g
const between = /[\p{P}\p{Z}\p{Cc}\p{Sm}\p{Sc}\p{Sk}ʼʻ]+/gu

const unspaced = new RegExp(`[${unspacedLetters}]`, 'u')
const blankBetween = new RegExp(`(?<=[${unspacedLetters}]\\p{M}*) (?=[${unspacedLetters}])`, 'gu')
const innerLetter = new RegExp(`(?<=[${unspacedLetters}]\\p{M}*)(?!\\p{M})[${unspacedLetters}]`, 'gu')

const undecomposed = new RegExp(`[${Object.keys(spelledLetters).join('')}]`, 'g')
