import * as z from 'zod'

import { JsonNumber, storable } from './common.ts'
import { isCurrency } from './currency.ts'
import { emailAddress } from './email.ts'
import type { Endpoint } from './endpoint.ts'
import { leaveOutNulls } from './nulls.ts'
import { findHidden, trimEnds, visible } from './visible.ts'

/** Data types that a property may have (section "Data Types" of the API document). */
export const dataType = z.enum([
  'BOOLEAN',
  'CURRENCY',
  'DATE',
  'DATETIME',
  'TIME',
  'DECIMAL',
  'EMAIL',
  'NUMBER',
  'RELATIONSHIP',
  'TEXT',
  'URL',
  'PREFERENCE',
])
export type DataType = z.infer<typeof dataType>

export function isDataType(value: unknown): value is DataType {
  return dataType.safeParse(value).success
}

/** Maximum length of a TEXT value, in UTF-8 bytes. */
export const maxTextBytes = 64 * 1024

const decimalPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/
const decimalRule = 'Write a decimal with a point and up to 38 digits, for example "12.340".'

const decimalError = ({ input }: { readonly input?: unknown }) =>
  (typeof input === 'string' ? findHidden(trimEnds(input)) : undefined) ?? decimalRule

/**
 * An exact decimal as text, never converted to a float: up to 38 digits, optionally a minus sign and a decimal point,
 * no exponent.
 */
const decimal = (error?: string) =>
  visible(error).refine(
    (value) => decimalPattern.test(value) && value.replace(/\D/g, '').length <= 38,
    decimalRule,
  )
export const decimalText = decimal()

const datetimeRule =
  'Write a datetime with its zone, for example 2024-03-01T09:30:00Z or 2024-03-01T10:30:00+01:00.'
/**
 * RFC 3339 with an offset, returned in UTC with milliseconds. The offset is required because without it the instant
 * would be a guess.
 */
const instantValue = visible(datetimeRule)
  .check(z.iso.datetime({ offset: true, error: datetimeRule, abort: true }))
  .refine((value) => inFourDigitYears(value), 'The year must lie between 0001 and 9999 in UTC.')
  .overwrite((value) => (inFourDigitYears(value) ? new Date(value).toISOString() : value))

function inFourDigitYears(value: string): boolean {
  const time = Date.parse(value)
  return time >= Date.parse('0001-01-01T00:00:00Z') && time < Date.UTC(10_000, 0, 1)
}

const byteLength = (value: string) => new TextEncoder().encode(value).length

const dateRule = 'Give a date that exists, such as 1981-02-02.'
const timeRule = 'Write a time as HH:MM, HH:MM:SS or HH:MM:SS.mmm.'
const currencyRule = 'Give an ISO 4217 code such as EUR, in capitals.'
const addressRule = 'Give an absolute address that starts with http:// or https://.'
const unknownField = 'There is no such field here; leave it out.'

const idOf = (thing: 'user' | 'entity') => {
  const rule = `Give the id of ${thing === 'user' ? 'a' : 'an'} ${thing}.`
  return visible(rule).check(z.uuid(rule)).toLowerCase()
}

/** Schema of the values of each data type, as transferred and stored. `readValue` handles `null` (no value). */
export const propertyValues = {
  BOOLEAN: z.boolean('Give true or false.'),
  CURRENCY: z.strictObject(
    {
      currency: visible(currencyRule).refine((code) => isCurrency(code), currencyRule),
      value: decimal('Write the amount as text, for example "12.50".'),
    },
    {
      error: (issue) =>
        issue.code === 'invalid_type' ? 'Give {"currency":"EUR","value":"12.50"}.' : unknownField,
    },
  ),
  DATE: visible(dateRule)
    .check(z.iso.date({ error: dateRule, abort: true }))
    .refine((value) => !value.startsWith('0000'), 'The year must lie between 0001 and 9999.'),
  DATETIME: instantValue,
  TIME: visible(timeRule).regex(/^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{3})?)?$/, timeRule),
  DECIMAL: z.codec(
    z.union([decimalText, z.number(), z.instanceof(JsonNumber)], { error: decimalError }),
    decimalText,
    {
      decode: (value) =>
        typeof value === 'string' ? value : value instanceof JsonNumber ? value.source : String(value),
      encode: (value) => value,
    },
  ),
  EMAIL: visible('Give an e-mail address such as ana@example.org.').pipe(emailAddress),
  NUMBER: z
    .union([z.number(), z.instanceof(JsonNumber)], 'Give a number, without quotes.')
    .refine(isExactNumber, 'This number cannot be kept exactly: use DECIMAL for it.')
    .overwrite((value) => (value instanceof JsonNumber ? Number(value.source) : value)),
  RELATIONSHIP: z.strictObject(
    {
      user: idOf('user'),
      entity: idOf('entity').optional(),
    },
    {
      error: (issue) =>
        issue.code === 'invalid_type'
          ? 'Give {"user":"<id>"} or {"user":"<id>","entity":"<id>"}.'
          : unknownField,
    },
  ),
  TEXT: storable('Give a text, in quotes.').refine(
    (value) => byteLength(value) <= maxTextBytes,
    'At most 64 KiB of text.',
  ),
  URL: visible(addressRule).refine((value) => value.length <= 8192 && isWebAddress(value), addressRule),
  PREFERENCE: z.strictObject(
    {
      status: z.enum(['GRANTED', 'DENIED', 'REVOKED'], 'Give GRANTED, DENIED or REVOKED.'),
      /** Date of the status; defaults to the time of writing. */
      statusDate: instantValue.optional(),
      expires: instantValue.optional(),
    },
    { error: (issue) => (issue.code === 'invalid_type' ? 'Give {"status":"GRANTED"}.' : unknownField) },
  ),
} as const satisfies Record<DataType, z.ZodType>

export type PropertyValue = { [Type in DataType]: z.output<(typeof propertyValues)[Type]> }

/**
 * Whether a given consent is older than the stored one, which has another status. Without both dates none is; a date
 * that was stored by other means than the API may be missing, or none.
 */
export function isOlderConsent(given: unknown, stored: unknown): boolean {
  const [one, other] = [given, stored].map((consent) => (consent ?? {}) as Partial<Record<string, unknown>>)
  return (
    typeof one?.status === 'string' &&
    one.status !== other?.status &&
    // NaN, and so false, unless both are dates.
    Date.parse(String(one.statusDate)) < Date.parse(String(other?.statusDate))
  )
}

/** Why a value is invalid: the place within the value, and a sentence that says what to write instead. */
export interface ValueIssue {
  readonly path: readonly PropertyKey[]
  readonly detail: string
}

/**
 * Validates a value of a type strictly. Returns its stored form, or the errors. `null` stays null, meaning no value.
 */
export function readValue(
  type: DataType,
  value: unknown,
): { readonly value: unknown; readonly issues?: never } | { readonly issues: readonly ValueIssue[] } {
  if (value === null) return { value: null }
  const schema = propertyValues[type]
  const result = schema.safeParse(leaveOutNulls(schema, value))
  if (result.success) return { value: result.data }
  const issues = result.error.issues.flatMap((issue) => {
    const { path, message: detail } = issue
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...path, key], detail }))
      : [{ path, detail }]
  })
  return { issues }
}

/**
 * Like `readValue`, but for a value about to be written, which has to meet stricter rules. Stored values that violate
 * those rules remain valid.
 */
export function readNewValue(type: DataType, value: unknown): ReturnType<typeof readValue> {
  const read = readValue(type, value)
  if (read.issues || type !== 'PREFERENCE' || read.value === null) return read
  const { statusDate, expires } = read.value as PropertyValue['PREFERENCE']
  if (statusDate === undefined || expires === undefined || expires >= statusDate) return read
  return {
    issues: [
      { path: ['expires'], detail: 'The consent ends before it begins. Give a later date, or leave it out.' },
    ],
  }
}

/** Whether the value is finite, within ±(2^53−1) if integral, and not changed by conversion to a double. */
function isExactNumber(value: number | JsonNumber): boolean {
  const number = value instanceof JsonNumber ? Number(value.source) : value
  if (!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number))) return false
  return !(value instanceof JsonNumber) || plainDigits(value.source) === plainDigits(String(number))
}

/**
 * Returns the significant digits and the exponent, so that `1.50`, `15e-1` and `1.5` are equal, but `0.1` and `0.1`
 * with 30 more digits are not.
 */
function plainDigits(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  // A loop instead of /0+$/, which starts over at each zero: 4 s for 100,000 of them.
  let end = digits.length
  while (digits[end - 1] === '0') end--
  const significant = digits.slice(0, end)
  if (significant === '') return '0'
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && URL.canParse(value)
}

export const dataTypes = dataType.options

export const dataTypeEndpoints = {
  listDataTypes: {
    method: 'GET',
    path: '/datatypes',
    tag: 'Data types',
    summary: 'The data types that a property may have.',
    needs: 'public',
    reply: z.array(z.string()),
    status: [200],
  },
} as const satisfies Record<string, Endpoint>
