import * as z from 'zod'

import { trimEnds, visible } from './visible.ts'

export const dayMs = 86_400_000

/** Formats a number in English notation, with thousands separators. */
export const formatCount = (count: number): string => count.toLocaleString('en')

/** Largest request body that the service reads, in bytes. */
export const maxBodyBytes = 1024 * 1024

/**
 * Maximum number of values in a request body, counting objects, lists and their elements. Validating half a million
 * wrong values against a schema takes seconds. The largest body that the schemas admit names 10,000 users for a batch;
 * an entity of 500 properties has at most 5,000 values, a filter some 4,000.
 */
export const maxBodyValues = 20_000

/** Maximum number of errors listed in one response; `errorCount` has the total. */
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
 * A JSON number that a JavaScript number cannot represent exactly as spelled (`12.340`, `1e400`, 30 digits). The
 * service's parser passes it on unchanged. DECIMAL keeps the spelling; NUMBER accepts only another spelling of the same
 * value (`12.340` as 12.34) and never rounds.
 */
export class JsonNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

/**
 * More combining marks in a row than Unicode's stream-safe text format (UAX #15) allows. The limit exists because
 * composing a run of 250,000 marks takes a minute.
 */
const tooManyMarks = /\p{Mn}{31}/u

/** Text that both a database and a JSON reader preserve: no NUL, no lone surrogates, composed (NFC). */
export const storable = (error?: string) =>
  z
    .string(error)
    .refine((value) => !value.includes('\0') && value.isWellFormed(), {
      error: 'NUL and lone surrogates cannot be stored.',
      abort: true,
    })
    .refine((value) => !tooManyMarks.test(value), {
      error: 'At most 30 combining marks may follow one another.',
      abort: true,
    })
    .normalize('NFC')

export const storableText = storable()

/** @param error Sentence for a caller who gave no text. */
export function text(maxLength: number, error?: string) {
  return storable(error).max(maxLength, `At most ${maxLength.toLocaleString('en')} characters.`)
}

/** Line breaks and other control characters, each run of which stands for one blank in a name. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

/**
 * A name that is shown in one line. Text from forms and spreadsheets may have line breaks, which are read as blanks rather than
 * refused.
 */
export function oneLine(maxLength: number, error?: string) {
  return storable(error)
    .overwrite((value) => value.replace(controls, ' '))
    .max(maxLength, `At most ${maxLength.toLocaleString('en')} characters.`)
}

/** Longest reason that a caller may give, in characters. */
export const maxReason = 500

/** Why a change is made: the decoded header `Change-Reason`, or the `reason` of a batch. */
export const changeReason = text(maxReason).overwrite(trimEnds).min(1, 'Say why, or leave the reason out.')

/** Maximum length of a deletion reference, in code points rather than UTF-16 units. */
export const maxReference = 100

/**
 * Reference for a deletion, such as a ticket number: the decoded `Deletion-Reference` header. The reference outlives
 * the person, so it must not identify them; it is also displayed, so no character may hide or reorder the text beside
 * it.
 */
export const deletionReference = storableText
  .overwrite(trimEnds)
  // A reference that consists only of invisible characters counts as empty.
  .overwrite((value) => (/[\p{L}\p{N}\p{P}\p{S}]/u.test(value) ? value : ''))
  .refine(
    (value) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(value),
    'No line breaks or other control characters.',
  )
  .refine((value) => Array.from(value).length <= maxReference, `At most ${maxReference} characters.`)
  .refine((value) => !looksLikeEmail(value), 'No e-mail address: it is kept after the deletion.')

/**
 * Whether the text contains an e-mail address anywhere, including after `mailto:`, in brackets, or written with
 * full-width characters.
 */
const looksLikeEmail = (value: string) => /[^\s@]@[^\s@]/.test(value.normalize('NFKC'))

const zonelessPattern = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,3}))?$/

/**
 * A datetime without a zone, meant as UTC, in the contract's form `YYYY-MM-DDTHH:MM:SS.mmm`. A missing fraction of a
 * second is filled in. A zone is refused, because dropping it would change the time.
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
 * Case-folds text for matching and filters, identically in the client, in the service and on every database, so that a
 * database's locale never decides what matches. Upper case comes first, so that `Straße` and `STRASSE` match (and
 * `STRAẞE`, which has its own capital). There is only one sigma, so that the final form matches inside a longer word,
 * and only one i, so that
 * `İstanbul`, `ISTANBUL`, `ıstanbul` and `istanbul` meet. There is only one space: nobody sees which of them stands
 * between two names, such as the no-break space of a word processor or the wide one of Chinese and Japanese.
 */
export function fold(value: string): string {
  const folded = value
    .normalize('NFC')
    .replaceAll('ẞ', 'SS')
    .replace(/\p{Zs}/gu, ' ')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
  return folded.includes(dottedI) ? folded.replaceAll(dottedI, 'i').normalize('NFC') : folded
}

/** Lower-casing the Turkish dotted capital İ yields two characters, and nobody types the second one. */
const dottedI = 'i\u0307'

/**
 * Letters that Unicode treats as distinct and does not decompose into a base letter and an accent, with the spelling
 * used by people who lack them on the keyboard. Search and the highlighting of matches both use these spellings.
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
  ŋ: 'n',
  ə: 'e',
  ɛ: 'e',
  ɔ: 'o',
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ƴ: 'y',
}

/**
 * Letters of scripts that do not separate words, or the parts of a person's name, with spaces, so that a word may
 * begin at any letter. Hangul has spaces, but none between the family name and the given name.
 */
export const unspacedLetters = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}`

/** One error in a request, at a place in its body (RFC 6901 JSON Pointer; `""` is the whole body). */
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
  /** Total number of errors, if `errors` lists only the first ones. */
  errorCount: z.number().optional(),
  /** Why the caller has no role: the claim that should name one, and the value it has instead. */
  noRole: z.object({ claim: z.string(), holds: z.string().optional() }).optional().catch(undefined),
})
export type Problem = z.infer<typeof problem>
export type ProblemError = z.infer<typeof problemError>

/** Maximum number of segments in one response. If there are that many, more may follow. */
export const segmentsPerPage = 1000
