import { Fragment, useEffect, useState } from 'react'

import { spelledLetters, unspacedLetters } from '#contract/index.ts'
import classes from './Highlight.module.css'

/** Range of a text; end exclusive, in UTF-16 units as in `slice`. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Matches query words that are also found inside words: parts of ids and refs, and scripts without spaces. */
const isFoundWithin = new RegExp(`[\\d${unspacedLetters}]`, 'u')

/**
 * Returns the ranges of a text in which words start with words of the query, in order and without overlaps. Ignores
 * case, accents, word order and missing apostrophes. If no word starts with it, a query word with a digit (part
 * of an id or ref) or in a script without spaces is found inside words, too, and any word across the signs and blanks
 * of a name: `jrr` in `J. R. R. Tolkien`, `vanderberg` in `van der Berg`.
 */
export function matchRanges(text: string, query: string): readonly Range[] {
  const words = splitQuery(query)
  if (words.length === 0) return []
  const whole = fold(text)
  const foundOf = words.map((word) => rangesOf(word, whole, text))
  const missing = words.filter((_, at) => foundOf[at]?.length === 0)
  const found = [...foundOf.flat(), ...(missing.length === 0 ? [] : matchAcross(text, whole, words, missing))]
  // Tries to find `ana@example.org` as a whole, then its parts.
  return found.length > 0 ? mergeRanges(found) : matchParts(text, words)
}

function rangesOf(word: string, { folded, at, begins }: Folded, text: string): readonly Range[] {
  const places = placesOf(folded, word)
  const beginnings = places.filter((place) => begins[place])
  const chosen = beginnings.length === 0 && isFoundWithin.test(word) ? places : beginnings
  return chosen.map((place) => ({ start: at[place] ?? 0, end: at[place + word.length] ?? text.length }))
}

/** Finds the words that are missing in the text, or else all of them as one, where neither has signs or blanks. */
function matchAcross(
  text: string,
  { folded, at, begins }: Folded,
  words: readonly string[],
  missing: readonly string[],
): readonly Range[] {
  const kept = [...folded.matchAll(solidLetters)].flatMap(({ 0: letter, index }) =>
    Array.from({ length: letter.length }, (_, unit) => index + unit),
  )
  const solid = kept.map((index) => folded[index]).join('')
  const seek = (word: string): readonly Range[] => {
    const sought = (word.match(solidLetters) ?? []).join('')
    const places = sought.length < 2 ? [] : placesOf(solid, sought)
    return places.flatMap((place) => {
      const [first = 0, last = 0] = [kept[place], kept[place + sought.length - 1]]
      return begins[first] ? { start: at[first] ?? 0, end: at[last + 1] ?? text.length } : []
    })
  }
  const found = missing.map(seek)
  return found.some((ranges) => ranges.length === 0)
    ? [...found.flat(), ...seek(words.join(''))]
    : found.flat()
}

function matchParts(text: string, words: readonly string[]): readonly Range[] {
  const parts = words.flatMap((word) => word.split(/[^\p{L}\p{N}]+/u))
  return parts.length === words.length ? [] : matchRanges(text, parts.join(' '))
}

export function Highlight({ text, query }: { readonly text: string; readonly query: string }) {
  useHanLetters(query)
  const ranges = matchRanges(text, query)
  return (
    <>
      {ranges.map(({ start, end }, index) => (
        <Fragment key={start}>
          {text.slice(ranges[index - 1]?.end ?? 0, start)}
          <mark className={classes.mark}>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(ranges.at(-1)?.end ?? 0)}
    </>
  )
}

/** Letters that stand for variants of Han letters, of which there are thousands. */
let hanLetters: ReadonlyMap<string, string> | undefined

/** Loads the variants of Han letters, which are marked from then on. */
export async function readHanLetters(): Promise<void> {
  const { hanVariants } = await import('#contract/reading/han-variants.ts')
  hanLetters ??= new Map(
    hanVariants.flatMap((group) => {
      const [first = '', ...others] = group
      return others.map((letter) => [letter, first] as const)
    }),
  )
}

/** Renders the component again once the variants are loaded that a query needs. Without them it finds letters as they are typed. */
function useHanLetters(query: string): void {
  const [, setRead] = useState(false)
  useEffect(() => {
    if (hanLetters || !/\p{Script=Han}/u.test(query)) return
    void readHanLetters().then(
      () => setRead(true),
      () => undefined,
    )
  }, [query])
}

function splitQuery(query: string): readonly string[] {
  const words = query
    .split(/\s+/)
    .map((word) => fold(word).folded.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
  return words.filter((word) => word !== '')
}

interface Folded {
  /** Text without case, accents and apostrophes. */
  readonly folded: string
  /** Index in the original text of each folded character. */
  readonly at: readonly number[]
  /** Whether each folded character starts a word. */
  readonly begins: readonly boolean[]
}

function fold(text: string): Folded {
  let folded = ''
  const at: number[] = []
  const begins: boolean[] = []
  let index = 0
  let inWord = false
  // The long mark of kana is as long as the signs that are typed for it.
  for (const character of text.replace(dashes, 'ー')) {
    const before = folded.at(-1) ?? ''
    const lower = repeatedLetter(before, character) ?? foldCharacter(character)
    const voiced = voicing.test(lower) ? (before + lower).normalize('NFC') : ''
    if (voiced.length === 1) folded = folded.slice(0, -1) + voiced
    // A standalone combining accent belongs to the letter before it.
    else if (lower !== '') {
      for (const letter of /^['’‘ʼ`´׳״]$/.test(character) ? '' : (spelledLetters[lower] ?? lower)) {
        folded += letter
        for (let unit = 0; unit < letter.length; unit++) {
          begins.push(!inWord && unit === 0)
          at.push(index)
        }
        inWord = isOfWord(letter)
      }
      inWord = isOfWord(lower)
    }
    index += character.length
  }
  return { folded, at, begins }
}

// Accents of Latin, Greek, Cyrillic, Hebrew and Arabic letters. Without vowel signs of Indic scripts and Japanese voicing
// marks, the words would be others.
const accents =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08d3-\u08ff\u093c\u0a3c\u0abc]/g
/** Signs that are typed for the long mark after a kana. */
const dashes = /(?<=[\p{scx=Hiragana}\p{scx=Katakana}])[‐‑‒–—―−－〜～]/gu
/** Returns the letter for which a sign stands that repeats the one before it; undefined for another character. */
function repeatedLetter(before: string, character: string): string | undefined {
  if (/^(?:\p{Script=Han}[々〻]|[ア-ヺ][ゝヽ])$/u.test(before + character)) return before
  return /^[ア-ヺ][ゞヾ]$/.test(before + character) ? `${before}\u3099`.normalize('NFC') : undefined
}
/** Voicing mark of a kana, which may be a character of its own. */
const voicing = /^[\u3099\u309a]$/
/** Joiners, direction marks and the stroke that lengthens Arabic letters. */
const invisible = /[\u0640\p{Cf}\ufe00-\ufe0f]/gu
/** Arabic letters after those that other keyboards write instead. */
const arabic = ['اٱ', 'يىیېۍےێ', 'كکڪ', 'هةہۃھەۿ', 'وۆ']

/** Folds a character as searches do (server/entities/spelling/letters.ts). */
function foldCharacter(character: string): string {
  const plain = character
    .normalize('NFKD')
    .replace(accents, '')
    .replace(invisible, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    // Parts of one letter of Japanese or Korean are one letter.
    .normalize('NFC')
  const group = plain === '' ? undefined : arabic.find((letters) => letters.includes(plain))
  if (group !== undefined) return group.charAt(0)
  const code = plain.codePointAt(0) ?? 0
  if (code >= 0x3041 && code <= 0x30f6) {
    const wide = code <= 0x3096 ? String.fromCodePoint(code + 0x60) : plain
    return 'アイウエオツヤユヨワカケ'['ァィゥェォッャュョヮヵヶ'.indexOf(wide)] ?? wide
  }
  return /^\p{Nd}$/u.test(plain) ? digitOf(code) : (hanLetters?.get(plain) ?? plain)
}

/** Returns a digit of any script as 0 to 9. In Unicode, the ten digits of a script are consecutive. */
function digitOf(code: number): string {
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(code - zero)
}

function placesOf(text: string, word: string): readonly number[] {
  const places: number[] = []
  for (let place = text.indexOf(word); place !== -1; place = text.indexOf(word, place + 1)) places.push(place)
  return places
}

/** Letters that stay where signs and blanks are left out. */
const solidLetters = /[\p{L}\p{N}\p{M}]/gu

function isOfWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = []
  for (const range of [...ranges].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = result.at(-1)
    if (last && range.start <= last.end)
      result[result.length - 1] = { ...last, end: Math.max(last.end, range.end) }
    else result.push(range)
  }
  return result
}
