import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { validate as isUuid } from 'uuid'

import { emailKey } from '#contract/index.ts'
import type { IndexKey } from '../sealing/data-keys.ts'
import { wordsOfText } from './reference.ts'

/** Kinds of identifiers of a user, and the id that a deletion keeps anyway. */
export type MarkKind = 'email' | 'name' | 'ref' | 'id'

/** Keyed digest of something that identified a deleted user. */
export interface Mark {
  readonly kind: MarkKind
  readonly digest: string
}

/** A text that may identify somebody, in the form by which it is compared. */
export interface Candidate {
  readonly kind: MarkKind
  readonly form: string
  readonly text: string
}

interface Identity {
  readonly email: string | null
  readonly name: string | null
  readonly ref: string | null
}

/** Bytes of a digest that are stored, of 32. */
const digestBytes = 16

/**
 * Derives the key of the digests from that of the blind index, which stays the same when master keys are replaced: without it a
 * digest can neither be made nor tested.
 */
export function deriveMarkKey(indexKey: IndexKey): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', indexKey(), '', 'data-store erased', 32)))
}

export function markDigest(secret: KeyObject, { kind, form }: Omit<Candidate, 'text'>): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([kind, form]))
    .digest()
    .subarray(0, digestBytes)
    .toString('base64url')
}

/** Returns the marks of a user. A ref of signs alone has none, since nothing of it can be recognised. */
export function marksOf(secret: KeyObject, identity: Identity): Mark[] {
  return (['email', 'name', 'ref'] as const).flatMap((kind) => {
    const text = identity[kind]
    const form = text === null ? '' : formOf(kind, text)
    return form === '' ? [] : [{ kind, digest: markDigest(secret, { kind, form }) }]
  })
}

/**
 * Returns the form by which a text is compared: that of mailboxes for e-mails; for names and refs the words without
 * signs, accents or blanks, and those of a name in any order.
 */
export function formOf(kind: MarkKind, text: string): string {
  if (kind === 'email') return emailKey(text.trim())
  if (kind === 'id') return text.trim().toLowerCase()
  const words = wordsOfText(text).trim().split(' ')
  return (kind === 'name' ? words.toSorted() : words).join('')
}

/** Returns all that a whole text may be. */
export function wholeCandidates(text: string): Candidate[] {
  const kinds: MarkKind[] = text.includes('@') ? ['email', 'name', 'ref'] : ['name', 'ref']
  if (isUuid(text.trim())) kinds.push('id')
  return kinds.map((kind) => ({ kind, form: formOf(kind, text), text })).filter(({ form }) => form !== '')
}

/** A candidate within a text. */
export interface Passage extends Candidate {
  readonly start: number
  readonly end: number
}

/** Most words of a name that are looked for together in a text. */
const maxWords = 12

/**
 * Minimum length of a single word that is looked for within a text. A shorter one may be part of anything by chance, so it is only
 * compared with the whole text.
 */
const tellingLength = 5

const email = /[^\s<>(),;:"„“”«»[\]\\]+@[\p{L}\p{M}\p{N}.。．｡-]*[\p{L}\p{M}\p{N}]/gu
const quotes = /^['‘’*_/=]+/u
const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/giu
/** Words, and single letters of the scripts that write names without blanks. */
const word =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]\p{M}*|(?:(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}])[\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}])+/gu

/** Returns all passages of a text that may identify somebody, the longest first. */
export function passagesOf(text: string): Passage[] {
  const passages: Passage[] = []
  const add = (kind: MarkKind, start: number, end: number) => {
    const part = text.slice(start, end)
    const form = formOf(kind, part)
    if (form !== '') passages.push({ kind, form, text: part, start, end })
  }
  for (const { 0: found, index } of text.matchAll(email)) {
    const end = index + found.length
    add('email', index, end)
    const quoted = quotes.exec(found)?.[0].length ?? 0
    if (quoted > 0) add('email', index + quoted, end)
  }
  for (const { 0: found, index } of text.matchAll(uuid)) add('id', index, index + found.length)
  const words = Array.from(text.matchAll(word), ({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }))
  for (const [at, { start }] of words.entries())
    for (const [more, { end }] of words.slice(at, at + maxWords).entries()) {
      const isAll = at === 0 && more === words.length - 1
      const isTelling = more > 0 || isAll || Array.from(text.slice(start, end)).length >= tellingLength
      if (isTelling) for (const kind of ['name', 'ref'] as const) add(kind, start, end)
    }
  return passages.toSorted((a, b) => b.end - b.start - (a.end - a.start))
}
