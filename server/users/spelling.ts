// Letters that stay themselves in `searchText`, by script.
const alphabets: readonly (readonly [RegExp, string])[] = [
  [/[a-z]/, 'abcdefghijklmnopqrstuvwxyz'],
  [/[0-9]/, '0123456789'],
  [/\p{Script=Cyrillic}/u, 'абвгдежзиклмнопрстуфхцчшщъыьэюяєіґјљњћђџ'],
  [/\p{Script=Greek}/u, 'αβγδεζηθικλμνξοπρστυφχψω'],
]

const minLength = 4
/** Longer words are rarely typed by hand, and have thousands of variants. */
const maxLength = 30

/**
 * The words of which one slip makes this one: a letter left out, put in, mistaken, or two changed round (after Norvig,
 * https://norvig.com/spell-correct.html). None for a short word; none for a number, since another number is somebody
 * else's. `unfinished`: the last letter is right, since what follows it is not there yet.
 */
export function variantsOf(word: string, { unfinished = false } = {}): string[] {
  const letters = Array.from(word)
  if (letters.length < minLength || letters.length > maxLength || !/\p{L}/u.test(word)) return []
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
