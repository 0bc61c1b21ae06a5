import * as z from 'zod'

import { trimEnds, visible } from './visible.ts'

export const dayMs = 86_400_000

/** A number for people who read English, with its thousands apart. */
export const formatCount = (count: number): string => count.toLocaleString('en')

/** Largest request body that the service reads, in bytes. */
export const maxBodyBytes = 1024 * 1024

/**
 * Most values (objects, lists and what stands in them) of one request body: checking half a million wrong ones against a
 * schema takes seconds. The largest that the schemas admit names 10,000 users for a batch; an entity of 500 properties has at
 * most 5,000, a filter some 4,000.
 */
export const maxBodyValues = 20_000

/** Listed in one answer; how many there are stands in `errorCount`. */
export const maxErrors = 100

export const userId = z.string().brand<'UserId'>()
export const entityId = z.string().brand<'EntityId'>()
export const segmentId = z.string().brand<'SegmentId'>()
export const eventId = z.string().brand<'EventId'>()
export const subscriptionId = z.string().brand<'SubscriptionId'>()
export const propertyId = z.string().brand<'PropertyId'>()
export type EntityId = z.infer<typeof entityId>
export type SegmentId = z.infer<typeof segmentId>

/**
 * A JSON number whose spelling a JavaScript number does not keep (`12.340`, `1e400`, 30 digits). The service's
 * parser hands these on unharmed; a schema takes the spelling (DECIMAL) or refuses it (NUMBER), never a rounded value.
 */
export class JsonNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/** The stream-safe text of Unicode (UAX #15): composing a run of 250,000 marks takes a minute. */
const tooManyMarks = /\p{Mn}{31}/u

/** Text that a database and a JSON reader both keep: no NUL, no lone surrogate; composed (NFC). */
export const storableText = z
  .string()
  .refine((value) => !value.includes('\0') && value.isWellFormed(), {
    error: 'NUL and lone surrogates cannot be stored.',
    abort: true,
  })
  .refine((value) => !tooManyMarks.test(value), {
    error: 'At most 30 combining marks may follow one another.',
    abort: true,
  })
  .normalize('NFC')

export function text(maxLength: number) {
  return storableText.max(maxLength, `At most ${maxLength.toLocaleString('en')} characters.`)
}

/** Longest reason that a caller may give, in characters. */
export const maxReason = 500

/** Why a change is made: the header `Change-Reason`, decoded. */
export const changeReason = text(maxReason).overwrite(trimEnds).min(1)

/** Longest reference of a deletion, in characters as people count them. */
export const maxReference = 100

/**
 * Reference for a deletion, such as a ticket number: the decoded `Deletion-Reference` header. The reference outlives
 * the person, so it must not identify them; it is also displayed, so no character may hide or reorder the text beside
 * it.
 */
export const deletionReference = storableText
  .overwrite(trimEnds)
  // Signs that nobody sees are no reference.
  .overwrite((value) => (/[\p{L}\p{N}\p{P}\p{S}]/u.test(value) ? value : ''))
  .refine(
    (value) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(value),
    'No line breaks or other control characters.',
  )
  .refine((value) => Array.from(value).length <= maxReference, `At most ${maxReference} characters.`)
  .refine((value) => !looksLikeEmail(value), 'No e-mail address: it is kept after the deletion.')

/** Somewhere in it, also as `mailto:`, in brackets, or with a sign of full width. */
const looksLikeEmail = (value: string) => /[^\s@]@[^\s@]/.test(value.normalize('NFKC'))

const zonelessPattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,3}))?$/

/**
 * A datetime without zone, meant as UTC, in the contract's form `YYYY-MM-DDTHH:MM:SS.mmm`.
 * Seconds without a fraction are completed; a zone is refused, since dropping it would move the time.
 */
export const zonelessDatetime = visible()
  .refine(
    (value) => zonelessPattern.test(value) && isCalendarValid(value),
    'Write a datetime without zone as YYYY-MM-DDTHH:MM:SS.mmm, for example 2024-03-01T09:30:00.000 (it is read as UTC).',
  )
  .overwrite((value) =>
    value.replace(zonelessPattern, (_, day, time, ms = '') => `${day}T${time}.${ms.padEnd(3, '0')}`),
  )

function isCalendarValid(value: string): boolean {
  const [, day, time] = zonelessPattern.exec(value) ?? []
  const instant = new Date(`${day}T${time}Z`)
  // Date rolls 31 February over to March: only a date that survives the round trip exists.
  return (
    !Number.isNaN(instant.getTime()) &&
    instant.toISOString().startsWith(`${day}T${time}`) &&
    !value.startsWith('0000')
  )
}

/**
 * Case folding for matching and filters, the same on both sides and on every database: the locale of an engine
 * never decides who matches. Upper case first, so that `Straße` and `STRASSE` meet (and `STRAẞE`, which has a capital of
 * its own); one sigma, so that the end of a word matches within a longer one; one i, so that
 * `İstanbul`, `ISTANBUL`, `ıstanbul` and `istanbul` meet.
 */
export function fold(value: string): string {
  const folded = value.normalize('NFC').replaceAll('ẞ', 'SS').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  return folded.includes(dottedI) ? folded.replaceAll(dottedI, 'i').normalize('NFC') : folded
}

/** In small letters the capital of Turkish with its dot is two characters, the second of which nobody types. */
const dottedI = 'i\u0307'

/**
 * Letters of their own to Unicode, which does not take them apart into a letter and its accent; variants to whoever has
 * not got them on the keyboard. What is searched and what is marked as found spell them alike.
 */
export const spelledLetters: Readonly<Record<string, string>> = {
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

/**
 * Letters of scripts that write words, or the names of one person, without a blank between them: a word may begin at each of them. Hangul
 * has blanks, and none between a family's name and a person's.
 */
export const unspacedLetters = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}`

/** One thing wrong with a request, at a place in its body (RFC 6901 JSON Pointer; `""` is the whole body). */
export const problemError = z.looseObject({
  pointer: z.string().catch(''),
  code: z.string().catch('invalid'),
  detail: z.string().catch(''),
})

/** RFC 9457 problem details, plus `code` and `errors`. `instance` is the request id. */
export const problem = z.looseObject({
  type: z.string().optional(),
  title: z.string().optional(),
  status: z.number().optional(),
  detail: z.string().optional(),
  instance: z.string().optional(),
  code: z.string().optional(),
  errors: z.array(problemError).optional(),
  /** How many errors there are, where `errors` lists the first of them. */
  errorCount: z.number().optional(),
  /** Why a caller has no role: the claim that should name one, and what it holds instead. */
  noRole: z.object({ claim: z.string(), holds: z.string().optional() }).optional().catch(undefined),
})
export type Problem = z.infer<typeof problem>
export type ProblemError = z.infer<typeof problemError>

/** Segments in one answer. Where there are as many, others may follow. */
export const segmentsPerPage = 1000
