import { fold, storableText } from './common.ts'
import { hiddenCharacter } from './visible.ts'

/** Longest e-mail address, in characters. */
const maxEmailLength = 320

/** Local part: RFC 5322's dot-atom as HTML defines it, plus every visible character beyond ASCII (RFC 6531). */
const local = /^(?:[\w.!#$%&'*+/=?^`{|}~-]|[^\0-\x7f\p{Z}\p{Cc}\p{Cs}\p{Co}])+$/u
/** ASCII domain, as HTML defines it. */
const domain = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i

/**
 * An address that mail can be sent to (RFC 6531). Its local part and domain may use any script. The address is stored
 * as given.
 */
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
 * Returns the key by which addresses are compared: composed (NFC), with ASCII letters in lower case and the domain in
 * its ASCII form, so that `ana@bücher.example` and `Ana@xn--bcher-kva.example` are equal. Letters beyond ASCII are
 * compared as they are: to a mail server `mıke`, `MİKE` and `mike` are three mailboxes, although `fold` makes them one.
 */
export function emailKey(value: string): string {
  const [name, place] = parts(value)
  return place === '' ? mailboxKey(value) : `${mailboxKey(name)}@${domainKey(place)}`
}

/** Composes again at the end: `H` with a macron below has no composed form, unlike `h` with one. */
const mailboxKey = (name: string) =>
  name
    .normalize('NFC')
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .normalize('NFC')

const domainKey = (place: string) => asciiDomain(place) ?? mailboxKey(place)

/** A form in which a part of a text may occur in its key. */
export interface KeyPart {
  readonly text: string
  /** Whether this is a form for domains: in the name of a mailbox, its letters are other letters. */
  readonly inDomain: boolean
}

/**
 * Returns the forms in which a part of an address may occur in a key. A part without `@` has two if it may belong to
 * the name of the mailbox or, with each label in its ASCII form, to the domain.
 */
function emailParts(value: string): readonly KeyPart[] {
  const at = value.lastIndexOf('@') + 1
  const labels = value.slice(at).split('.').map(domainKey).join('.')
  const whole = { text: mailboxKey(value), inDomain: false }
  if (at > 0) return [{ text: mailboxKey(value.slice(0, at)) + labels, inDomain: false }]
  return labels === whole.text ? [whole] : [whole, { text: labels, inDomain: true }]
}

/** Returns the key by which filters and the blind index compare text of this type. */
export function textKey(type: string, value: string): string {
  return type === 'EMAIL' ? emailKey(value) : fold(value)
}

/** Returns the forms in which a part of a text may occur in its key. */
export function textKeyParts(type: string, value: string): readonly KeyPart[] {
  return type === 'EMAIL' ? emailParts(value) : [{ text: fold(value), inDomain: false }]
}

/** Splits an address into its local part and domain; the domain is empty if there is none. */
function parts(value: string): readonly [name: string, domain: string] {
  const at = value.lastIndexOf('@')
  return at < 0 ? [value, ''] : [value.slice(0, at), value.slice(at + 1)]
}

const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

/** ASCII characters that no domain contains, and a hyphen at the start or end of a label. */
const notOfDomain = /[\0-,/:-@[-`{-\x7f]|(?:^|[.。．｡])-|-(?:[.。．｡]|$)/

/**
 * Returns the domain in ASCII and lower case, by the rules for web addresses (UTS 46). ASCII text is only lower-cased;
 * for other text that is not a domain, returns `undefined`.
 */
export function asciiDomain(text: string): string | undefined {
  if (isAscii(text)) return text.toLowerCase()
  if (text.length > maxEmailLength || notOfDomain.test(text) || hiddenCharacter(text) !== undefined)
    return undefined
  const host = URL.parse(`http://${text}`)?.hostname
  // Digits of other scripts can turn the host into an IP address, which is not a domain.
  return host === undefined || /(?:^|\.)\d+\.?$/.test(host) ? undefined : host
}
