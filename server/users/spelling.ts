import type { Database } from '../sealing/database.ts'
import { prefixRange, type Range } from './ranges.ts'
import { keepInhabited } from './search-storage.ts'
// Letters that `searchText` keeps unchanged, by script.
const alphabets: readonly (readonly [RegExp, string])[] = [
  [/[a-z]/, 'abcdefghijklmnopqrstuvwxyz'],
  [/[0-9]/, '0123456789'],
  [/\p{Script=Cyrillic}/u, 'абвгдежзиклмнопрстуфхцчшщъыьэюяєіґјљњћђџ'],
  [/\p{Script=Greek}/u, 'αβγδεζηθικλμνξοπρστυφχψω'],
]

const minLength = 4
/** Longer words are rarely typed by hand, and have about 1,600 variants or more. */
const maxSpelledLength = 30

/**
 * Returns the words that one typing error turns into this one: a letter omitted, inserted, replaced, or two swapped
 * (after Norvig, https://norvig.com/spell-correct.html). Empty for a short or very long word, and for a number, since
 * another number belongs to another user. `unfinished`: more letters may follow, so the last one is neither omitted nor
 * replaced, and none is appended.
 */
export function variantsOf(word: string, { unfinished = false } = {}): string[] {
  const letters = Array.from(word)
  if (letters.length < minLength || letters.length > maxSpelledLength || !/\p{L}/u.test(word)) return []
  const alphabet = alphabets.flatMap(([script, own]) => (script.test(word) ? Array.from(own) : []))
  const variants = new Set<string>()
  for (let at = 0; at <= letters.length; at++) {
    const [before, letter, next] = [letters.slice(0, at).join(''), letters[at], letters[at + 1]]
    const after = letters.slice(at + 1).join('')
    const isLast = next === undefined
    if (letter !== undefined && !(isLast && unfinished)) {
      variants.add(before + after)
      for (const other of alphabet) variants.add(before + other + after)
    }
    if (letter !== undefined && next !== undefined)
      variants.add(before + next + letter + letters.slice(at + 2).join(''))
    if (letter !== undefined || !unfinished)
      for (const other of alphabet) variants.add(before + other + (letter ?? '') + after)
  }
  variants.delete(word)
  return [...variants]
}

/**
 * Maximum number of spellings tried for each `rangeOf`, 3 microseconds each. A word of eight letters has about
 * 450, or 600 in a larger alphabet; without a limit, eight words would have 4,000 or more.
 */
const maxTried = 2000

interface Spelled {
  /** Words that some term begins with. */
  readonly present: ReadonlySet<string>
  /** For each word, its corrections that some term begins with. */
  readonly known: readonly (readonly string[])[]
}

/** Resolves to undefined if there are no corrections at all, or none for a word that no term begins with. */
export type Speller = (database: Database, rangeOf: typeof prefixRange) => Promise<Spelled | undefined>

/** Returns a function that finds the corrections of a query's words, cached for each `rangeOf`. */
export function speller(words: readonly string[]): Speller {
  const found = new Map<typeof prefixRange, Promise<Spelled | undefined>>()
  return (database, rangeOf) => {
    const spelled = found.get(rangeOf) ?? spellings(database, words, rangeOf)
    found.set(rangeOf, spelled)
    return spelled
  }
}

async function spellings(
  database: Database,
  words: readonly string[],
  rangeOf: typeof prefixRange,
): Promise<Spelled | undefined> {
  const startsOf = async (ranges: readonly Range[]) =>
    new Set((await keepInhabited(database.sql, ranges)).map(({ from }) => from))
  const present = await startsOf(words.map(prefixRange))
  const guesses = words.map((): readonly string[] => [])
  let left = maxTried
  // A word that no term begins with must be corrected; the others may be.
  for (const isNeeded of [true, false])
    for (const [at, word] of words.entries()) {
      if (present.has(word) === isNeeded || left <= 0) continue
      const variants = variantsOf(word, { unfinished: rangeOf === prefixRange })
      if (variants.length <= left) guesses[at] = variants
      else if (isNeeded) return undefined
      left -= variants.length
    }
  const isHopeless = words.some((word, at) => !present.has(word) && guesses[at]?.length === 0)
  if (isHopeless || left === maxTried) return undefined
  const right = await startsOf(guesses.flatMap((variants) => variants.map(rangeOf)))
  const known = guesses.map((variants) => variants.filter((variant) => right.has(variant)))
  const isLost = words.some((word, at) => !present.has(word) && known[at]?.length === 0)
  return isLost || known.every((variants) => variants.length === 0) ? undefined : { present, known }
}
