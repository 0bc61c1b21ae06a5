import { inWesternDigits } from './letters.ts'
import { nationalsOf, trunksOf, withCodes } from './trunks.ts'

// Phone numbers as people write them: with or without the country, with its trunk prefix, several in one text, with an
// extension.

interface Phone {
  /** International prefix `+` or `00`; undefined if the text has none. */
  readonly prefix: '+' | '00' | undefined
  readonly digits: string
  /** Empty if there is none. */
  readonly extension: string
}

const shortest = 7
const longest = 15
/** Shortest rest of a number that a search takes for the number within a country. */
const minNational = 5
/** Length from which a number without `+` may begin with a country's code. */
const minWithCode = 11

/** Country calling code; its first digits determine its length (ITU-T E.164). */
const countryCode = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/
/** Possible lengths of a country calling code. */
const codeDigits = [1, 2, 3]

/** A number within Russia and Kazakhstan after the trunk prefix 8, or within North America after 1. */
const afterTrunk = /^(?:8(?=[3489]\d{9}$)|1(?=[2-9]\d{2}[2-9]\d{6}$))/

/** Extension at the end of a number, after a word or sign for it. */
const extensionEnd =
  /(?<=\d)[\s),;.(]*(?:ext(?:ension|n)?|durchwahl|dw|nebenstelle|app(?:arat)?|poste|int(?:erno)?|anexo|ramal|toestel|x|#|доб|вн(?:утр)?|内線|分机|分機|내선)[\s.:=#]*(\d{1,7})\s*\)?$/iu
/** Longer texts are no phone numbers. */
const maxText = 200

/** Between two numbers. A slash also stands after the code of an area, so the parts decide. */
const betweenNumbers =
  /\s*[;,|&\n、•]\s*|\s+[/+\p{Pd}]\s+|\s{2,}|\s+(?:or|oder|bzw\.?|ou|and|und|y|et|e|o|и|или)\s+|(?<=\d)\s+(?=\+)/iu

/** Decimals, IP addresses and dates: the separators between their digits are significant. */
const otherForms = /^(?:0|[1-9]\d*)\.\d+$|^\d{1,3}(?:\.\d{1,3}){3}$|^\d{1,4}([./-])\d{1,2}\1\d{1,4}$/
const phoneForm = /^\+?[\d(][\d\s./()\p{Pd}]*\d$/u

/** Signs that say the same as others: direction marks, brackets around the country, square ones, the long mark of kana. */
const tidyPhone = (text: string) =>
  inWesternDigits(text)
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/(?<=\d)ー(?=\d)/g, '-')
    .replace(/\[(\d+)\]/g, '($1)')
    .replace(/^\((\+|00)(\d{1,3})\)/, '$1$2 ')
    .replace(/^\++\s*/, '+')

/** Word for a number before it. */
const label =
  /^(?:tel(?:ephone|efon|éfono|efono|éphone)?|phone|ph|mobile?|mobil|handy|cell|fax|call|gsm|whatsapp|тел|моб|電話|电话)[.:]*\s*(?=[+(\d])/iu

/** Parses a text in the form of one phone number: digits, in groups of any kind. */
function phoneOf(text: string, atLeast = shortest): Phone | undefined {
  const [, extension = ''] = extensionEnd.exec(text) ?? []
  const written = tidyPhone(extension === '' ? text : text.replace(extensionEnd, '')).replace(label, '')
  if (!phoneForm.test(written) || otherForms.test(written)) return undefined
  const all = written.replace(/(?<=\d[\s./\p{Pd}]*)\(0\)/u, '').replace(/\D/g, '')
  const prefix = written.startsWith('+') ? '+' : /^00[1-9]/.test(all) ? '00' : undefined
  const digits = prefix === '00' ? all.slice(2) : all
  return digits.length >= atLeast && digits.length <= longest ? { prefix, digits, extension } : undefined
}

/** Returns the numbers of a text that is one phone number or several; empty if there is anything else in it. */
function phonesOf(text: string): readonly Phone[] {
  const written = tidyPhone(text)
  if (written.length > maxText) return []
  for (const between of [betweenNumbers, /\s*\/\s*|\s*[;,|&\n]\s*/u]) {
    const parts = written.split(between).filter((part) => part !== '')
    const phones = parts.flatMap((part) => phoneOf(part) ?? [])
    if (parts.length > 1 && phones.length === parts.length) return phones
  }
  return [phoneOf(written) ?? []].flat()
}

/** Returns the number within its country, without the trunk prefix 0 that some write after the country's code. */
const withinCountry = (digits: string) => digits.replace(countryCode, '')

/**
 * Returns the terms of the phone numbers in a stored text: each with and without the country's code and
 * the trunk prefix, since either may be missing in a typed one. They are followed by the extension.
 */
export function phoneTermsOf(text: string): string[] {
  return phonesIn(text).flatMap((phone) => formsOf(phone).map((form) => extended(form, phone)))
}

function phonesIn(text: string): readonly Phone[] {
  const whole = phonesOf(text)
  // A number that is still being typed is one by its prefix.
  const phones = whole.length > 0 ? whole : [phoneOf(tidyPhone(text), 1) ?? []].flat()
  return phones.filter(({ prefix, digits }) => prefix !== undefined || digits.length >= shortest)
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

/** Forms of a typed phone number, as the terms of stored texts have them. */
export interface SoughtPhones {
  readonly forms: readonly string[]
  /** Numbers without the code of the typed country: they stand for it only in texts that name no other country. */
  readonly withoutCode: readonly string[]
}

/** Returns the forms in which the phone numbers of a typed text are looked for. */
export function soughtPhones(text: string): SoughtPhones {
  const phones = phonesIn(text)
  const withoutCode = new Set<string>()
  const forms = phones.flatMap((phone) => {
    const code = codeOf(phone)
    const dialled = phone.prefix === undefined ? withCodes(phone.digits) : []
    if (code === undefined) return [...formsOf(phone), ...dialled].map((form) => extended(form, phone))
    const plain = phone.digits.replace(/^0+/, '')
    const nationals = nationalsOf(code, plain.slice(code.length))
    if (nationals.some((national) => national.length < minNational)) return [extended(plain, phone)]
    for (const national of nationals) withoutCode.add(extended(national, phone))
    const written = [code, `${code}0`, ...trunksOf(code)].flatMap((before) =>
      nationals.map((national) => `${before}${national}`),
    )
    return [phone.digits, plain, ...written, ...dialled].map((form) => extended(form, phone))
  })
  return { forms, withoutCode: [...withoutCode] }
}

/** Returns the code of the country that a number names, with `+` or by its length. */
function codeOf({ prefix, digits }: Phone): string | undefined {
  if (
    prefix === undefined &&
    (digits.length < minWithCode || digits.startsWith('0') || afterTrunk.test(digits))
  )
    return undefined
  return countryCode.exec(digits.replace(/^0+/, ''))?.[0]
}

const extended = (form: string, { extension }: Phone) => (extension === '' ? form : `${form}x${extension}`)

/**
 * Whether a stored text is, or lists, the phone number that is given. A number with `+` also equals its national form,
 * with or without the trunk prefix. A number without its extension is that of the line.
 */
export function hasPhone(stored: string, given: string): boolean {
  const [here, ...others] = phonesOf(given)
  if (!here || others.length > 0) return false
  return phonesOf(stored).some(
    (there) =>
      (here.extension === '' || here.extension === there.extension) &&
      (isSameNumber(there, here) || isSameNumber(here, there)),
  )
}

function isSameNumber(one: Phone, other: Phone): boolean {
  // Without another prefix beside it, `00` may be part of a number of another kind.
  if (one.digits === other.digits && (one.prefix ?? '+') === (other.prefix ?? '+')) return true
  const code = countryCode.exec(one.digits)?.[0] ?? ''
  const nationals = nationalsOf(code, one.digits.slice(code.length))
  const isMarked = one.prefix === '+'
  const areMarked = one.prefix !== undefined && other.prefix !== undefined
  // Without `+`, a number has the code of a country only if the other has it with one, or a trunk prefix instead.
  const mayHaveCode = isMarked || (one.digits.length >= minWithCode && !one.digits.startsWith('0'))
  if (areMarked || (isMarked && other.digits.length >= minWithCode && !other.digits.startsWith('0'))) {
    const isSameCode = other.digits.startsWith(code)
    const others = isSameCode ? nationalsOf(code, other.digits.slice(code.length)) : []
    if (others.some((national) => nationals.includes(national))) return true
  }
  if (other.prefix !== undefined || one.prefix === '00') return false
  const dialled = trunksOf(code).flatMap((trunk) => nationals.map((national) => trunk + national))
  if (mayHaveCode && dialled.includes(other.digits)) return true
  return isMarked
    ? one.digits.slice(code.length) === other.digits
    : one.digits.replace(afterTrunk, '') === other.digits
}
