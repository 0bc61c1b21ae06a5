import type { DataType } from '#contract/index.ts'
import { number } from '../format.ts'

const aNumber = `Enter a number, such as ${number(12.5)}.`
const aDecimal = `Enter a number of up to 38 digits, such as ${number(12.5)}.`

const dataTypeNames = {
  TEXT: 'Text',
  NUMBER: 'Number',
  DECIMAL: 'Decimal',
  CURRENCY: 'Amount',
  BOOLEAN: 'True or false',
  DATE: 'Date',
  DATETIME: 'Date and time',
  TIME: 'Time of day',
  EMAIL: 'E-mail',
  URL: 'Web address',
  RELATIONSHIP: 'Relationship',
  PREFERENCE: 'Preference',
} satisfies Record<DataType, string>

/** Returns the display name of a data type; a type of another service keeps its code. */
export const dataTypeName = (type: string): string =>
  (dataTypeNames as Readonly<Record<string, string>>)[type] ?? type

/** Texts of the typed inputs and of values shown for reading. */
export const valueText = {
  none: 'No value',
  emptyText: 'Empty text',
  clear: (label: string) => `Clear value: ${label}`,
  clearHint: 'Clear value',
  notANumber: { NUMBER: aNumber, DECIMAL: aDecimal, CURRENCY: aDecimal },
  notADate: (example: string) => `Enter a valid date, such as ${example}.`,
  notAMoment: (example: string) => `Enter a valid date and time, such as ${example}.`,
  twoNumbers: 'This can be read as two numbers. Choose one.',
  notJson: 'This is not JSON.',
  true: 'True',
  false: 'False',
  neither: (text: string) => `“${text}” is neither true nor false.`,
  unfit: (type: string) =>
    `Doesn’t fit the type “${dataTypeName(type)}”. The value stays as it is unless you edit it.`,
  unfitMark: (type: string) => `Doesn’t fit the type “${dataTypeName(type)}”`,
  edit: (label: string) => `Edit: ${label}`,
  editText: 'Edit',
  utc: 'UTC',
  example: (text: string) => `e.g. ${text}`,
  pick: { date: 'Pick a date', datetime: 'Pick a date and time', time: 'Pick a time' },
  part: {
    amount: (label: string) => `${label}, amount`,
    currency: (label: string) => `${label}, currency`,
    user: (label: string) => `${label}, user id`,
    entity: (label: string) => `${label}, entity id`,
    status: (label: string) => `${label}, status`,
    statusDate: (label: string) => `${label}, since (UTC)`,
    expires: (label: string) => `${label}, expires (UTC)`,
    datetime: (label: string) => `${label} (UTC)`,
  },
  placeholder: {
    currency: 'Code',
    user: 'User id',
    entity: 'Entity id (optional)',
    statusDate: 'Since: now',
    expires: 'Never expires',
  },
  status: { GRANTED: 'Granted', DENIED: 'Denied', REVOKED: 'Revoked' } as Readonly<Record<string, string>>,
  expires: 'expires',
  pastCurrency: 'No longer used',
  /** Label of a preference that has ended, before the date. */
  ended: { GRANTED: 'Expired', DENIED: 'Denied until', REVOKED: 'Revoked until' } as Readonly<
    Record<string, string>
  >,
  /** After that, before the date on which it began. */
  held: { GRANTED: 'granted', DENIED: 'since', REVOKED: 'since' } as Readonly<Record<string, string>>,
  /** Words before the date of a preference that has not begun. */
  future: { GRANTED: 'Granted from', DENIED: 'Denied from', REVOKED: 'Revoked from' } as Readonly<
    Record<string, string>
  >,
  openLink: (host: string) => `Open ${host} in a new tab`,
  rawAs: 'Written as',
  rawText: 'Text',
  rawJson: 'JSON',
}

/** Texts of the meanings that a value in another spelling may have. */
export const readingText = {
  meant: 'Did you mean',
  take: ({ text, label }: { readonly text: string; readonly label: string }) => `Use ${text}: ${label}`,
}
