import { unspacedLetters } from '#contract/index.ts'
import { spellingsOf } from '../entities/spelled-emails.ts'
import { foldLetters } from '../entities/spelling/letters.ts'
import { codeTermsOf } from '../entities/value-terms.ts'

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
 * Normalizes text for comparison: reduces letters (`foldLetters`) and separates words by one space. The space sorts
 * below every character of a word, so whole words come before longer ones in the order of terms.
 */
export function searchText(value: string): string {
  return foldLetters(value).replace(between, ' ').trim()
}

/**
 * Returns the texts that stand for a name, a ref or what is typed, the plain one first. Signs within a word may be
 * missing (`O’Brien` is `obrien`, `AT&T` is `att`), initials may be one word (`J. R. R.` is `jrr`), and a joiner, which
 * nobody sees, may be a space.
 */
export function textsOf(value: string): string[] {
  const texts = [value, value.replace(joiners, ' ')].flatMap((text) => {
    const solid = text.replace(apostrophes, '')
    return [searchText(text), searchText(solid), joinInitials(searchText(solid.replace(signsWithin, '')))]
  })
  return [...new Set(texts)]
}

/** Joins words of one letter that follow one another. */
const joinInitials = (text: string) => text.replace(initials, (letters) => letters.replaceAll(' ', ''))

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
 * spellings. In a name the preceding words are appended: `Ana Lopez` is also `lopez ana`. `山田太郎` is also `太郎`, and
 * the ref `K-0042` also `k0042`. A name without searchable characters has the empty term, which no search finds: every
 * name must have its place in the order of names.
 */
export function termsOf({ name, email, ref }: TermFields): Term[] {
  const terms = new Set([
    ...(email === null ? [] : spellingsOf(email)).flatMap((spelling) =>
      starts([searchText(spelling), searchText(spelling.replace(apostrophes, ''))]),
    ),
    ...(ref === null ? [] : [...starts(textsOf(ref)), ...codeTermsOf(ref).map(cutTerm)]),
    ...(name === null ? [] : starts(textsOf(name), { turning: true })),
  ])
  const wholeName = name === null ? undefined : cutTerm(searchText(name))
  if (wholeName === '') terms.add('')
  return Array.from(terms, (term) => ({ term, name: term === wholeName }))
}

function starts(texts: readonly string[], { turning = false } = {}): string[] {
  return [...new Set(texts)].flatMap((text) => {
    const words = wordsOf(text)
    return words
      .slice(0, maxFieldStarts)
      .map((_, at) =>
        cutTerm(
          words
            .slice(at)
            .concat(turning ? words.slice(0, at) : [])
            .join(' '),
        ),
      )
      .concat(innerStarts(text))
  })
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

/** Also the signs of Hebrew that stand within a word: `צה״ל` is `צהל`. */
export const apostrophes = /['’‘ʼʻ`´′＇׳״]|(?<=\p{Script=Hebrew})"(?=\p{Script=Hebrew})/gu
const joiners = /(?<=[\p{L}\p{M}])[\u{200c}\u{200d}](?=\p{L})/gu
// A full stop or comma ends something, and most hyphens that people leave out are within a word.
const signsWithin = /(?<=[\p{L}\p{M}\p{Nd}])(?:[\p{Pd}_/·・]| ?[&+] ?)(?=[\p{L}\p{Nd}])/gu
const initials = /(?<![^ ])\p{L}(?: \p{L})+(?![^ ])/gu
const between = /[\p{P}\p{Z}\p{Cc}\p{Sm}\p{Sc}\p{Sk}ʼʻ]+/gu

const unspaced = new RegExp(`[${unspacedLetters}]`, 'u')
const blankBetween = new RegExp(`(?<=[${unspacedLetters}]\\p{M}*) (?=[${unspacedLetters}])`, 'gu')
const innerLetter = new RegExp(`(?<=[${unspacedLetters}]\\p{M}*)(?!\\p{M})[${unspacedLetters}]`, 'gu')
