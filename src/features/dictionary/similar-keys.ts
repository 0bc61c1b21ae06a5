import { fold } from '#contract/index.ts'

/** Length from which one letter more or less is likelier a slip than another word, as in "cit" and "city". */
const minLength = 6

interface CountedKey {
  readonly key: string
  readonly users: number
}

/**
 * Returns the keys that are written nearly as a commoner key of the same entity type, with that key: with other capitals
 * or separators, or with one letter missing, added or moved. Replaced letters and digits make other words, as in
 * "weight" and "height", "address" and "address2".
 */
export function findSimilarKeys(keys: readonly CountedKey[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  /** Commonest key by its word, and by the word without one of its letters. */
  const known = new Map<string, CountedWord>()
  for (const { key } of keys.toSorted((a, b) => b.users - a.users)) {
    const word = fold(key).replaceAll(/[^\p{L}\p{N}]/gu, '')
    const variants = shorten(word)
    const usual = variants.map((each) => known.get(each)).find((each) => each && isSlip(each.word, word))
    if (usual) found.set(key, usual.key)
    else for (const each of variants) if (!known.has(each)) known.set(each, { key, word })
  }
  return found
}

interface CountedWord {
  readonly key: string
  readonly word: string
}

/** Returns a word and, if it is long enough and without digits, the words that it is without one of its letters. */
function shorten(word: string): readonly string[] {
  if (word === '') return []
  if (word.length < minLength || /\p{N}/u.test(word)) return [word]
  return [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))]
}

/** Whether two words that agree but for one letter are the same word. */
const isSlip = (one: string, other: string) =>
  one.length !== other.length || one === other || sortLetters(one) === sortLetters(other)

const sortLetters = (word: string) => Array.from(word).toSorted().join('')
