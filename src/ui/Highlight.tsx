import { Fragment } from 'react'

import { spelledLetters, unspacedLetters } from '#contract/index.ts'
import classes from './Highlight.module.css'

/** Part of a text, from its first character to the one after its last, in UTF-16 units as in `slice`. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Parts of ids and refs, and words of scripts that have no blanks between them. */
const isFoundWithin = new RegExp(`[\\d${unspacedLetters}]`, 'u')

/**
 * Returns the parts of a text at which words begin with words of the query, in order and without overlaps. Case,
 * accents and the order of the words do not matter, and apostrophes may be left out. A word with a digit, as part of an
 * id or a ref, is also found in the middle of a word, as is one in a script without spaces.
 */
export function matchRanges(text: string, query: string): readonly Range[] {
  const words = splitQuery(query)
  if (words.length === 0) return []
  const { folded, at, begins } = fold(text)
  const found = words.flatMap((word): Range[] => {
    const places = placesOf(folded, word)
    const beginnings = places.filter((place) => begins[place])
    const chosen = beginnings.length === 0 && isFoundWithin.test(word) ? places : beginnings
    return chosen.map((place) => ({ start: at[place] ?? 0, end: at[place + word.length] ?? text.length }))
  })
  // `ana@example.org` as a whole, or else its parts.
  return found.length > 0 ? merged(found) : matchParts(text, words)
}

function matchParts(text: string, words: readonly string[]): readonly Range[] {
  const parts = words.flatMap((word) => word.split(/[^\p{L}\p{N}]+/u))
  return parts.length === words.length ? [] : matchRanges(text, parts.join(' '))
}

export interface HighlightProps {
  readonly text: string
  /** Text that was searched for. */
  readonly query: string
}

/** A text with the found parts marked. */
export function Highlight({ text, query }: HighlightProps) {
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

function splitQuery(query: string): readonly string[] {
  const words = query
    .split(/\s+/)
    .map((word) => fold(word).folded.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
  return words.filter((word) => word !== '')
}

interface Folded {
  /** Without case, accents and apostrophes. */
  readonly folded: string
  /** Index in the original text of each folded character. */
  readonly at: readonly number[]
  /** Which of them begin a word. */
  readonly begins: readonly boolean[]
}

function fold(text: string): Folded {
  let folded = ''
  const at: number[] = []
  const begins: boolean[] = []
  let index = 0
  let inWord = false
  for (const character of text) {
    const lower = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    // An accent that stands for itself belongs to the letter before it.
    if (lower !== '') {
      for (const letter of /^['’‘ʼ`´]$/.test(character) ? '' : (spelledLetters[lower] ?? lower)) {
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

function placesOf(text: string, word: string): readonly number[] {
  const places: number[] = []
  for (let place = text.indexOf(word); place !== -1; place = text.indexOf(word, place + 1)) places.push(place)
  return places
}

function isOfWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}

function merged(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = []
  for (const range of [...ranges].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = result.at(-1)
    if (last && range.start <= last.end)
      result[result.length - 1] = { ...last, end: Math.max(last.end, range.end) }
    else result.push(range)
  }
  return result
}
