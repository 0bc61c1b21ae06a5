import { fold, storableText } from './common.ts'
import { hiddenCharacter } from './visible.ts'

/** Longest e-mail address, in characters. */
const maxEmailLength = 320

/** RFC 5322's dot-atom as HTML has it, and what RFC 6531 adds to it: all that is beyond ASCII and can be seen. */
const local = /^(?:[\w.!#$%&'*+/=?^`{|}~-]|[^\0-\x7f\p{Z}\p{Cc}\p{Cs}\p{Co}])+$/u
/** A domain in ASCII, as HTML has it. */
const domain = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i

/** An address that mail can be sent to (RFC 6531): its name and its domain may be of any script. It is kept as given. */
export const emailAddress = storableText
  .max(maxEmailLength, `At most ${maxEmailLength} characters.`)
  .refine(isEmailAddress, 'Give an e-mail address such as ana@example.org.')
  .meta({ format: 'idn-email' })

function isEmailAddress(value: string): boolean {
  const [name, place] = parts(value)
  const ascii = asciiDomain(place)
  return hiddenCharacter(value) === undefined && local.test(name) && ascii !== undefined && domain.test(ascii)
}

/**
 * By which addresses are the same: without case, the domain in its ASCII form, so that `ana@bücher.example` and
 * `ana@xn--bcher-kva.example` are one. What is no address is folded.
 */
export function emailKey(value: string): string {
  const [name, place] = parts(value)
  return place === '' ? fold(value) : `${fold(name)}@${asciiDomain(place) ?? fold(place)}`
}

/**
 * A part of an address as it may stand in a key: folded, and with each label of a domain in its ASCII form. These are two, where
 * it cannot be told whether a part is of the name or of the domain.
 */
function emailParts(value: string): readonly string[] {
  const at = value.lastIndexOf('@')
  const labels = fold(value.slice(at + 1))
    .split('.')
    .map((label) => asciiDomain(label) ?? label)
  return [...new Set([fold(value), fold(value.slice(0, at + 1)) + labels.join('.')])]
}

/** By which filters and the blind index compare texts of a type. */
export function textKey(type: string, value: string): string {
  return type === 'EMAIL' ? emailKey(value) : fold(value)
}

/** The spellings in which a part of a text may stand in its key. */
export function textKeyParts(type: string, value: string): readonly string[] {
  return type === 'EMAIL' ? emailParts(value) : [fold(value)]
}

/** The name, and the domain: empty where there is none. */
function parts(value: string): readonly [name: string, domain: string] {
  const at = value.lastIndexOf('@')
  return at < 0 ? [value, ''] : [value.slice(0, at), value.slice(at + 1)]
}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

/** Signs that would end the host of a URL or be read as an escape, and a hyphen at an end of a label. */
const notOfDomain = /[\0-,/:-@[-`{-\x7f]|(?:^|[.。．｡])-|-(?:[.。．｡]|$)/

/** A domain by the rules of addresses on the web (UTS 46), in lower case; `undefined`: it is none. */
export function asciiDomain(text: string): string | undefined {
  if (isAscii(text)) return text.toLowerCase()
  if (text.length > maxEmailLength || notOfDomain.test(text) || hiddenCharacter(text) !== undefined)
    return undefined
  const host = URL.parse(`http://${text}`)?.hostname
  // Digits of other scripts make the number of a computer.
  return host === undefined || /(?:^|\.)\d+\.?$/.test(host) ? undefined : host
}
