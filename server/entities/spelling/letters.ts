import { fold, spelledLetters } from '#contract/index.ts'
import { hanVariants } from '#contract/reading/han-variants.ts'

/**
 * Reduces a text to the letters by which searches compare: without case, accents and width, with one letter for those
 * that keyboards and standards keep apart although people take them for one, and with the digits 0 to 9.
 */
export function foldLetters(text: string): string {
  const plain = fold(text.replace(dashes, 'ー').normalize('NFKC'))
  if (isAscii.test(plain)) return plain
  return plain
    .normalize('NFD')
    .replace(marks, '')
    .replace(invisible, '')
    .replace(repeated, '$1$1')
    .replace(repeatedKana, '$1$2$1')
    .replace(beyondAscii, (letter) => plainLetters.get(letter) ?? plainDigit(letter))
    .normalize('NFC')
}

/** Replaces digits of other scripts by 0 to 9: a number may be stored in one script and dictated in another. */
export const inWesternDigits = (text: string) => text.normalize('NFKC').replace(beyondAscii, plainDigit)

function plainDigit(character: string): string {
  if (!isDigit.test(character)) return character
  const code = character.codePointAt(0) ?? 0
  // In Unicode, the ten digits of a script are consecutive (UAX 44, Numeric_Type=Decimal).
  let zero = code
  while (code - zero < 9 && isDigit.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(code - zero)
}

/**
 * Returns a code, such as a plate, in Latin letters if each of its letters has a Latin one that looks like it, since
 * which alphabet was typed cannot be seen; undefined if it has other letters, or is in Latin letters already.
 */
export function inLatinLetters(code: string): string | undefined {
  if (isAscii.test(code)) return undefined
  const latin = code.replace(beyondAscii, (letter) => lookalikes.get(letter) ?? letter)
  return isAscii.test(latin) ? latin : undefined
}

const isAscii = /^[\0-\x7f]*$/
const beyondAscii = /[^\0-\x7f]/gu
const isDigit = /\p{Nd}/u
// Signs that are typed for the long mark after a kana. The hyphen also separates names.
const dashes = /(?<=[\p{scx=Hiragana}\p{scx=Katakana}])[‐‑‒–—―−－〜～]/gu
// Marks on Latin, Greek, Cyrillic, Hebrew and Arabic letters, and the nukta of Devanagari, Gurmukhi and Gujarati, which many
// leave out. Vowel signs of Indic scripts and Japanese voicing marks are not accents: without them the words are different.
const marks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08d3-\u08ff\u093c\u0a3c\u0abc]/g
// The stroke that lengthens Arabic letters, joiners, direction marks, variation selectors, soft hyphens, and the
// character that ends a range (`afterAll`).
const invisible = /[\u{640}\p{Cf}\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}\u{10ffff}]/gu
/** A Han letter before the sign that repeats it. */
const repeated = /(\p{Script=Han})[々〻]/gu
/** A kana, perhaps voiced, before the sign that repeats it, which may have a voicing mark of its own. */
const repeatedKana = /([\u3041-\u3096\u30a1-\u30fa])(\u3099?)[ゝヽ]/gu

/** Arabic letters after those that other languages and keyboards write instead; hamza is a mark here. */
const arabicLetters = ['اٱ', 'يىیېۍےێ', 'كکڪ', 'هةہۃھەۿ', 'وۆ']

/** Cyrillic and Greek letters, in lower case, whose capital looks like a Latin one. */
const lookalikes: ReadonlyMap<string, string> = new Map([
  ...pairs('авеѕіјкмнорстухүԛԝһ', 'abesijkmhopctyxyqwh'),
  ...pairs('αβεζηικμνορτυχ', 'abezhikmnoptyx'),
])

function pairs(others: string, latin: string): [string, string][] {
  return Array.from(others, (letter, at) => [letter, latin[at] ?? letter])
}

/** Letters that are replaced, each with what it becomes. */
const plainLetters: ReadonlyMap<string, string> = new Map([
  ...Object.entries(spelledLetters),
  ...[...arabicLetters, ...hanVariants].flatMap((group) => {
    const [first = '', ...others] = group
    return others.map((letter) => [letter, first] as const)
  }),
  ...Array.from({ length: 0x56 }, (_, at) => kana(0x3041 + at)),
  kana(0x309d),
  kana(0x309e),
  // Banks and forms know no small kana, and names of places have either: 霞ヶ関, 霞ケ関.
  ...pairs('ぁぃぅぇぉっゃゅょゎゕゖ', 'アイウエオツヤユヨワカケ'),
  ...pairs('ァィゥェォッャュョヮヵヶ', 'アイウエオツヤユヨワカケ'),
])

/** Pairs a letter of hiragana with that of katakana. */
function kana(code: number): readonly [string, string] {
  return [String.fromCodePoint(code), String.fromCodePoint(code + 0x60)]
}
