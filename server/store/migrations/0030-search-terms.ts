import { readFileSync } from 'node:fs'
import path from 'node:path'
import { domainToASCII, domainToUnicode } from 'node:url'

// Copied from the service, so that later changes there do not change what migration 0030 did. There is the reason of
// each rule: entities/spelling/, entities/value-terms.ts, users/terms.ts.

const maxTermLength = 100
const maxFieldStarts = 12
const maxInnerStarts = 24
const minTerm = 3
const maxValueStarts = 4
const unspacedLetters = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}`

function fold(value: string): string {
  const folded = value
    .normalize('NFC')
    .replaceAll('ẞ', 'SS')
    .replace(/\p{Zs}/gu, ' ')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
  return folded.includes(dottedI) ? folded.replaceAll(dottedI, 'i').normalize('NFC') : folded
}

const dottedI = 'i\u0307'

const spelledLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
}

export interface Fields {
  readonly name: string | null
  readonly email: string | null
  readonly ref: string | null
}

export function termsOf({ name, email, ref }: Fields): { term: string; name: boolean }[] {
  const terms = new Set([
    ...(email === null ? [] : emailsOf(email)).flatMap((spelling) =>
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

function searchText(value: string): string {
  return foldLetters(value).replace(between, ' ').trim()
}

function textsOf(value: string): string[] {
  const texts = [value, value.replace(joiners, ' ')].flatMap((text) => {
    const solid = text.replace(apostrophes, '')
    return [searchText(text), searchText(solid), joinInitials(searchText(solid.replace(signsWithin, '')))]
  })
  return [...new Set(texts)]
}

const joinInitials = (text: string) => text.replace(initials, (letters) => letters.replaceAll(' ', ''))

function wordsOf(text: string): string[] {
  return text === '' ? [] : text.split(' ')
}

function cutTerm(text: string): string {
  return text.length <= maxTermLength ? text : Array.from(text).slice(0, maxTermLength).join('').trimEnd()
}

function innerStarts(text: string): string[] {
  if (!unspaced.test(text)) return []
  const solid = text.replace(blankBetween, '')
  const starts = Array.from(solid.matchAll(innerLetter), ({ index }) => cutTerm(solid.slice(index)))
  return [cutTerm(solid), ...starts.slice(0, maxInnerStarts)]
}

const apostrophes = /['’‘ʼʻ`´′＇]/g
const joiners = /(?<=[\p{L}\p{M}])[\u{200c}\u{200d}](?=\p{L})/gu
const signsWithin = /(?<=[\p{L}\p{M}\p{Nd}])(?:[\p{Pd}_/·・]| ?[&+] ?)(?=[\p{L}\p{Nd}])/gu
const initials = /(?<![^ ])\p{L}(?: \p{L})+(?![^ ])/gu
const between = /[\p{P}\p{Z}\p{Cc}\p{Sm}\p{Sc}\p{Sk}ʼʻ]+/gu

const unspaced = new RegExp(`[${unspacedLetters}]`, 'u')
const blankBetween = new RegExp(`(?<=[${unspacedLetters}]\\p{M}*) (?=[${unspacedLetters}])`, 'gu')
const innerLetter = new RegExp(`(?<=[${unspacedLetters}]\\p{M}*)(?!\\p{M})[${unspacedLetters}]`, 'gu')

export interface Value {
  readonly key: string
  readonly type: string
  readonly value: string
}

export function valueTermsOf({ type, value }: Value): string[] {
  if (value.length > 64) return []
  if (type === 'EMAIL') return emailsOf(value).flatMap(startsOf)
  return isDigit.test(value.normalize('NFKC')) ? [...codeTermsOf(value), ...phoneTermsOf(value)] : []
}

function emailsOf(email: string): string[] {
  const at = email.lastIndexOf('@') + 1
  const domain = domainToASCII(email.slice(at))
  if (!/(?:^|\.)xn--/.test(domain)) return [email]
  const name = email.slice(0, at)
  return [...new Set([email, name + domain, name + (domainToUnicode(domain) || domain)])]
}

const compact = (text: string) =>
  foldLetters(text)
    .normalize('NFD')
    .replace(/[^\p{L}\p{Nd}]/gu, '')

const isDigits = (text: string) => /^\d+$/.test(text)
const withoutZeros = (digits: string) => digits.replace(/^0+/, '')

function codeTermsOf(value: string): string[] {
  const terms = startsOf(value)
  return [...terms, ...terms.flatMap(latinCode)]
}

const latinCode = (code: string) => (/\d/.test(code) ? [inLatinLetters(code) ?? []].flat() : [])

function startsOf(value: string): string[] {
  const whole = compact(value)
  const starts = isDigits(whole)
    ? [whole, withoutZeros(whole)]
    : value
        .split(/[^\p{L}\p{M}\p{Nd}]+/u)
        .map((_, at, groups) => compact(groups.slice(at).join('')))
        .filter((start) => start === whole || /\d/.test(start))
        .slice(0, maxValueStarts)
  return starts.filter((start) => start.length >= minTerm)
}

interface Phone {
  readonly prefix: '+' | '00' | undefined
  readonly digits: string
  readonly extension: string
}

const shortest = 7
const longest = 15
const minNational = 5
const minWithCode = 11

const countryCode = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/
const codeDigits = [1, 2, 3]

const afterTrunk = /^(?:8(?=[3489]\d{9}$)|1(?=[2-9]\d{2}[2-9]\d{6}$))/

const extensionEnd =
  /(?<=\d)[\s),;.(]*(?:ext(?:ension|n)?|durchwahl|dw|nebenstelle|app(?:arat)?|poste|int(?:erno)?|anexo|ramal|toestel|x|#|доб|вн(?:утр)?|内線|分机|分機|내선)[\s.:=#]*(\d{1,7})\s*\)?$/iu
const maxText = 200

const betweenNumbers =
  /\s*[;,|&\n]\s*|\s+\/\s+|\s+(?:or|oder|ou|and|und|y|et|e|o|и|или)\s+|(?<=\d)\s+(?=\+)/iu

const otherForms = /^\d+\.\d+$|^\d{1,3}(?:\.\d{1,3}){3}$|^\d{1,4}([./-])\d{1,2}\1\d{1,4}$/
const phoneForm = /^\+?[\d(][\d\s./()\p{Pd}]*\d$/u

function phoneOf(text: string, atLeast = shortest): Phone | undefined {
  const [, extension = ''] = extensionEnd.exec(text) ?? []
  const written = (extension === '' ? text : text.replace(extensionEnd, '')).trim()
  if (!phoneForm.test(written) || otherForms.test(written)) return undefined
  const all = written.replace(/(?<=\d[\s./\p{Pd}]*)\(0\)/u, '').replace(/\D/g, '')
  const prefix = written.startsWith('+') ? '+' : /^00[1-9]/.test(all) ? '00' : undefined
  const digits = prefix === '00' ? all.slice(2) : all
  return digits.length >= atLeast && digits.length <= longest ? { prefix, digits, extension } : undefined
}

function phonesOf(text: string): readonly Phone[] {
  const written = inWesternDigits(text).trim()
  if (written.length > maxText) return []
  for (const between of [betweenNumbers, /\s*\/\s*|\s*[;,|&\n]\s*/u]) {
    const parts = written.split(between).filter((part) => part !== '')
    const phones = parts.flatMap((part) => phoneOf(part) ?? [])
    if (parts.length > 1 && phones.length === parts.length) return phones
  }
  return [phoneOf(written) ?? []].flat()
}

const withinCountry = (digits: string) => digits.replace(countryCode, '')

function phoneTermsOf(text: string): string[] {
  const whole = phonesOf(text)
  const phones = whole.length > 0 ? whole : [phoneOf(inWesternDigits(text).trim(), 1) ?? []].flat()
  return phones
    .filter(({ prefix, digits }) => prefix !== undefined || digits.length >= shortest)
    .flatMap((phone) =>
      formsOf(phone).map((form) => (phone.extension === '' ? form : `${form}x${phone.extension}`)),
    )
}

function formsOf({ prefix, digits }: Phone): string[] {
  const plain = digits.replace(/^0+/, '')
  if (prefix !== undefined) {
    const nationals = codeDigits.map((length) => plain.slice(length))
    const national = withinCountry(plain).replace(/^0+/, '')
    return [plain, ...[...nationals, national].filter((rest) => rest.length >= minNational)]
  }
  const national = digits.replace(afterTrunk, '')
  const mayHaveCode = national === digits && plain === digits && digits.length >= minWithCode
  return [digits, plain, national, ...(mayHaveCode ? [withinCountry(digits)] : [])]
}

function foldLetters(text: string): string {
  const plain = fold(text.replace(dashes, 'ー').normalize('NFKC'))
  if (isAscii.test(plain)) return plain
  return plain
    .normalize('NFD')
    .replace(marks, '')
    .replace(invisible, '')
    .replace(repeated, '$1$1')
    .replace(beyondAscii, (letter) => plainLetters.get(letter) ?? plainDigit(letter))
    .normalize('NFC')
}

const inWesternDigits = (text: string) => text.normalize('NFKC').replace(beyondAscii, plainDigit)

function plainDigit(character: string): string {
  if (!isDigit.test(character)) return character
  const code = character.codePointAt(0) ?? 0
  // In Unicode, the ten digits of a script are consecutive (UAX 44, Numeric_Type=Decimal).
  let zero = code
  while (code - zero < 9 && isDigit.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String(code - zero)
}

function inLatinLetters(code: string): string | undefined {
  if (isAscii.test(code)) return undefined
  const latin = code.replace(beyondAscii, (letter) => lookalikes.get(letter) ?? letter)
  return isAscii.test(latin) ? latin : undefined
}

const isAscii = /^[\0-\x7f]*$/
const beyondAscii = /[^\0-\x7f]/gu
const isDigit = /\p{Nd}/u
const dashes = /(?<=[\p{scx=Hiragana}\p{scx=Katakana}])[‐‑‒–—―−－〜～]/gu
const marks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08d3-\u08ff]/g
const invisible = /[\u{640}\p{Cf}\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}\u{10ffff}]/gu
const repeated = /(\p{Script=Han})[々〻]/gu

const arabicLetters = ['اٱ', 'يىیېۍےێ', 'كکڪ', 'هةہۃھەۿ']

const lookalikes: ReadonlyMap<string, string> = new Map([
  ...pairs('авеѕіјкмнорстухүԛԝһ', 'abesijkmhopctyxyqwh'),
  ...pairs('αβεζηικμνορτυχ', 'abezhikmnoptyx'),
])

function pairs(others: string, latin: string): [string, string][] {
  return Array.from(others, (letter, at) => [letter, latin[at] ?? letter])
}

const plainLetters: ReadonlyMap<string, string> = new Map([
  ...Object.entries(spelledLetters),
  ...[...arabicLetters, ...hanVariants()].flatMap((group) => {
    const [first = '', ...others] = group
    return others.map((letter) => [letter, first] as const)
  }),
  ...Array.from({ length: 0x56 }, (_, at) => kana(0x3041 + at)),
  kana(0x309d),
  kana(0x309e),
])

function kana(code: number): readonly [string, string] {
  return [String.fromCodePoint(code), String.fromCodePoint(code + 0x60)]
}

function hanVariants(): readonly string[] {
  const file = path.join(import.meta.dirname, '0030-han-variants.txt')
  const text = readFileSync(file, 'utf8')
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(' '))
}
