import type { Encoding } from '../import.ts'

/**
 * Finds the encoding of a text that is not in Unicode, by its beginning. Nearly every byte is a letter in each of them,
 * so one is known by how its words look. Undefined if the text is in none of those that are known.
 */
export function findCodePage(bytes: Uint8Array): Encoding | undefined {
  const read = (encoding: Encoding) => new TextDecoder(encoding).decode(bytes, { stream: true })
  const wordsIn = (encoding: Encoding) => read(encoding).match(wordBeyondAscii) ?? []
  const western = wordsIn('windows-1252')
  const rate = (like: RegExp, words: readonly string[]) =>
    words.filter((word) => like.test(word)).length / Math.max(1, western.length)
  if (rate(cyrillicWord, wordsIn('windows-1251')) > 0.8) return 'windows-1251'
  if (rate(polishWord, wordsIn('windows-1250')) > 0.1) return 'windows-1250'
  if (rate(doubleBytes, western) < 0.5) return 'windows-1252'
  return /[\u3041-\u3096\u30a1-\u30fa]/.test(read('shift_jis')) ? 'shift_jis' : undefined
}

/** Letters and signs in a row, some of them beyond ASCII. */
const wordBeyondAscii = /[^\0-/:-@[-`{-\x7f\s]*[^\0-\x7f\s][^\0-/:-@[-`{-\x7f\s]*/gu
/** Words with a vowel, in capitals, or in small letters after the first one. */
const cyrillicWord = /^(?:№|(?=.*[аеёиоуыэюяіїєАЕЁИОУЫЭЮЯІЇЄ])(?:[Ѐ-ЯҐ]?[а-џґ]+|[Ѐ-ЯҐ]+))$/u
/** Words with a letter that is a sign in Windows-1252, where no sign is in a word: `³ó¿ko` is `łóżko`. */
const polishWord = /^(?=.*\p{L}[łążŁĄŻ]\p{L}|[ŁŻł].*[óęćńźśłąż])(?:\p{Lu}?\p{Ll}+|\p{Lu}+)$/u
/** Letters of East Asia, of two bytes each: in Windows-1252, letters and signs in a row. */
const doubleBytes = /[^\0-\x7f]{4}|[^\0-\x7f\p{L}][^\0-\x7f]|[^\0-\x7f][^\0-\x7f\p{L}]/u
