import * as z from 'zod'

// One rule for invisible characters in requests, inputs and files, except in free text (such as TEXT values and names):
// at either end of a text they are removed; inside a text they are refused, and the error names the character.

const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Tibetan}\p{Script=Myanmar}]/u
    .source
const emoji = String.raw`\p{Extended_Pictographic}[\u{fe0e}\u{fe0f}]?\p{Emoji_Modifier}?`
/** Sequences with characters that are invisible by themselves but change the look of the preceding character. */
const effects = [
  String.raw`${joining}[\u{200c}\u{200d}](?=${joining})`,
  String.raw`\u{1f3f4}[\u{e0020}-\u{e007f}]+`,
  String.raw`${emoji}(?:\u{200d}${emoji})*`,
  String.raw`[\d#*]\u{fe0f}\u{20e3}`,
  String.raw`\p{Script=Han}[\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]`,
  String.raw`\p{Script=Mongolian}[\u{180b}-\u{180d}\u{180f}]`,
].join('|')
const unseen = String.raw`\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{fff9}-\u{fffb}`
/** U+2800, the blank of Braille, is not white space in Unicode. */
const blank = String.raw`\s\u{2800}${unseen}`

const isUnseen = new RegExp(`[${unseen}]`, 'u')
const isBlank = new RegExp(`^[${blank}]$`, 'u')
const blankStart = new RegExp(`^[${blank}]+`, 'u')
const withEffect = new RegExp(effects, 'gu')
const hidden = new RegExp(`${effects}|([${unseen}])`, 'gu')

/** Longest sequence of `effects` that `trimEnds` looks for, in UTF-16 code units. */
const longestEffect = 40

/** Removes white space and invisible characters from both ends. */
export function trimEnds(text: string): string {
  const begun = text.replace(blankStart, '')
  let end = begun.length
  while (end > 0) {
    const size = codeUnits(begun, end)
    if (!isBlank.test(begun.slice(end - size, end))) break
    end -= size
  }
  if (end === begun.length) return begun
  const from = Math.max(0, end - longestEffect)
  for (const {
    index,
    0: { length },
  } of begun.slice(from, end + longestEffect).matchAll(withEffect))
    if (from + index < end && from + index + length > end) return begun.slice(0, from + index + length)
  return begun.slice(0, end)
}

/** Returns the length, in UTF-16 code units, of the character that ends at `end`. */
function codeUnits(text: string, end: number): number {
  return end > 1 && (text.codePointAt(end - 2) ?? 0) > 0xffff ? 2 : 1
}

/** Returns the index of the first invisible character of a text; `undefined` if there is none. */
export function hiddenCharacter(text: string): number | undefined {
  if (!isUnseen.test(text)) return undefined
  for (const match of text.matchAll(hidden)) if (match[1] !== undefined) return match.index
  return undefined
}

/** Names the first invisible character of a text and the character that follows it; `undefined` if there is none. */
export function findHidden(text: string): string | undefined {
  const at = hiddenCharacter(text)
  if (at === undefined) return undefined
  const code = text.codePointAt(at) ?? 0
  const character = String.fromCodePoint(code)
  const kind = /[\n-\r\u0085\u2028\u2029]/.test(character)
    ? 'a line break'
    : character === '\t'
      ? 'a tab'
      : `${/\p{Cc}/u.test(character) ? 'a control character' : 'an invisible character'} (U+${code.toString(16).toUpperCase().padStart(4, '0')})`
  const [next] = trimEnds(text.slice(at, at + 1000))
  return `There is ${kind} ${next === undefined ? 'in it' : `before the “${next}”`}: remove it.`
}

/** Schema of a text without invisible characters: they are removed at either end, and refused inside. */
export function visible(error?: string) {
  return z
    .string(error)
    .overwrite(trimEnds)
    .refine((text) => hiddenCharacter(text) === undefined, {
      error: ({ input }) => findHidden(String(input)),
      abort: true,
    })
}
