import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'

import { Highlight, matchRanges, readHanLetters } from './Highlight.tsx'

const mark = (text: string, query: string) =>
  matchRanges(text, query).map(({ start, end }) => text.slice(start, end))

test.for([
  ['the beginning of a word', 'Ana Lopez', 'lo', ['Lo']],
  ['several words in any order', 'Ana Lopez', 'lopez an', ['An', 'Lopez']],
  ['accents in the text', 'José Núñez', 'nunez', ['Núñez']],
  ['accents in the search', 'Jose Nunez', 'josé', ['Jose']],
  ['accents as separate characters', 'Jose\u0301 Nu\u0301n\u0303ez', 'jose', ['Jose\u0301']],
  ['one letter that folds to two', 'Anna Weiß', 'weiss', ['Weiß']],
  ['every word that begins so', 'Ana Anaya', 'ana', ['Ana', 'Ana']],
  ['a part after a sign', 'ana.lopez@example.org', 'exam', ['exam']],
  ['signs within a word', 'ana.lopez@example.org', 'lopez@ex', ['lopez@ex']],
  ['signs around it aside', 'Ana Lopez', '"lopez, ana"', ['Ana', 'Lopez']],
  ['an address by its parts where it is not whole', 'Ana of Example', 'ana@example.org', ['Ana', 'Example']],
  ['a name without its apostrophe', 'Sam O’Brien', 'obrien', ['O’Brien']],
  ['a name behind its apostrophe', 'Sam O’Brien', 'brien', ['Brien']],
  ['no middle of a name', 'Joana', 'ana', []],
  ['the middle of an id', '0190a7f3-91bc', 'a7f3', ['a7f3']],
  ['the middle of a name without blanks', '山田太郎', '太郎', ['太郎']],
  ['the middle of a Thai name', 'สมชาย ใจดี', 'ชาย', ['ชาย']],
  ['touching marks as one', 'C-1042', 'c 1042 c-1', ['C-1042']],
  ['letters beyond the basic plane', '𝒳 Æsop 😀', 'aesop', ['Æsop']],
  ['initials beyond the basic plane', '😀 𐐀. 𐐁. Æ', '𐐨𐐩ae', ['𐐀. 𐐁. Æ']],
  ['another script', 'Анна Иванова', 'ива', ['Ива']],
  ['letters of a Persian keyboard', 'علی کریمی', 'علي كريمي', ['علی', 'کریمی']],
  ['a name without its vowel marks', 'مُحَمَّد', 'محمد', ['مُحَمَّد']],
  ['a lengthened name', 'محـمـد', 'محمد', ['محـمـد']],
  ['the other kana', 'やまだ', 'ヤマダ', ['やまだ']],
  ['kana with a voicing mark of its own', 'ﾀﾅｶ ｹﾞﾝ か\u3099んも', 'げん がん', ['ｹﾞﾝ', 'か\u3099ん']],
  ['kana with another long mark', 'コーヒー', 'コ－ヒ－', ['コーヒー']],
  ['large kana for small ones', 'キョウコ きょう', 'キヨウコ', ['キョウコ']],
  ['the sign that repeats a kana', 'いすゞ みゝ', 'イスズ ミミ', ['いすゞ', 'みゝ']],
  ['a word of Hebrew without its sign', 'צה״ל', 'צהל', ['צה״ל']],
  ['a letter of Hindi without its dot', 'ज़ाकिर', 'जाकिर', ['ज़ाकिर']],
  ['the sign that repeats a letter', '佐々木 愛', '佐佐木', ['佐々木']],
  ['digits of another script', 'C-١٠٤٢', '1042', ['١٠٤٢']],
  ['the end of a Greek word', 'Νίκος', 'νικοσ', ['Νίκος']],
  ['initials as one word', 'J.R.R. Tolkien', 'jrr tolk', ['J.R.R', 'Tolk']],
  ['initials with blanks', 'J. R. R. Tolkien', 'JRR', ['J. R. R']],
  ['one word as initials', 'JRR Tolkien', 'j.r.r. tolkien', ['JRR', 'Tolkien']],
  ['one word as letters apart', 'JRR Tolkien', 'J R R', ['JRR']],
  ['a name without its sign', 'AT&T Wireless', 'att', ['AT&T']],
  ['a name with another sign', 'ATT Wireless', 'at & t', ['ATT']],
  ['a name without its hyphen', 'Jean-Luc Picard', 'jeanl', ['Jean-L']],
  ['a ref without its sign', 'ACC-0042', 'acc0042', ['ACC-0042']],
  ['a name of several words in one', 'Piet van der Berg', 'vanderberg', ['van der Berg']],
  ['a name of two words in one', 'John Mac Donald', 'john macdonald', ['John', 'Mac Donald']],
  ['no name that begins within another', 'Joe Mac Donaldson', 'edonald', []],
  ['no kana with another voice', 'かとう', 'がとう', []],
  ['no word with another Indic vowel', 'राम', 'रम', []],
  ['nothing for nothing', 'Ana', '  ', []],
  ['nothing in nothing', '', 'ana', []],
] as const)('finds %s', ([, text, query, expected]) => {
  expect(mark(text, query)).toEqual(expected)
})

test.for([
  ['髙橋 一郎', '高橋', ['髙橋']],
  ['渡邊', '渡辺', ['渡邊']],
  ['刘德华', '劉德華', ['刘德华']],
  ['𠮷野', '吉野', ['𠮷野']],
  ['山本', '山木', []],
] as const)('finds in %s what is written %s', async ([text, query, expected]) => {
  await readHanLetters()
  expect(mark(text, query)).toEqual(expected)
})

test('marks a variant of a Han letter as soon as it is known to be one', async () => {
  vi.resetModules()
  const { Highlight: Fresh } = await import('./Highlight.tsx')
  render(
    <p>
      <Fresh text="张伟" query="張偉" />
    </p>,
  )
  expect((await screen.findByText('张伟', { selector: 'mark' })).tagName).toBe('MARK')
})

test('shows the text unchanged, with the found parts marked', () => {
  render(
    <p>
      <Highlight text="Ana María Lopez" query="maria" />
    </p>,
  )
  expect(screen.getByRole('paragraph')).toHaveTextContent(/^Ana María Lopez$/)
  expect(screen.getByText('María').tagName).toBe('MARK')
})
