import type { DataType } from '#contract/index.ts'
import { defineMessages } from '../language/message.ts'

/** Names of the data types. */
export const dataTypeText = defineMessages({
  TEXT: 'Text',
  NUMBER: 'Number',
  DECIMAL: 'Decimal',
  CURRENCY: 'Amount',
  BOOLEAN: 'Yes or no',
  DATE: 'Date',
  DATETIME: 'Date and time',
  TIME: 'Time of day',
  EMAIL: 'E-mail',
  URL: 'Web address',
  RELATIONSHIP: 'Relationship',
  PREFERENCE: 'Preference',
} satisfies Record<DataType, string>)

/** Texts of the typed inputs and of values shown for reading. */
export const valueText = defineMessages({
  none: 'No value',
  emptyText: 'Empty text',
  clear: 'Clear value: {label}',
  clearHint: 'Clear value',
  clearTyped: 'Clear typed text: {label}',
  clearTypedHint: 'Clear typed text',
  notANumber: {
    NUMBER: 'Enter a number, such as {example, number}.',
    DECIMAL: 'Enter a number of up to 38 digits, such as {example, number}.',
    CURRENCY: 'Enter a number of up to 38 digits, such as {example, number}.',
  },
  notADate: 'Enter a valid date, such as {example}.',
  notAMoment: 'Enter a valid date and time, such as {example}.',
  /** Asked for by a consent with dates alone. */
  notAStatus: 'Choose Granted, Denied or Revoked.',
  twoNumbers: 'This number can be read in two ways. Choose one.',
  notJson: 'This isn’t valid JSON.',
  true: 'Yes',
  false: 'No',
  neither: '“{typed}” is neither yes nor no. Choose one.',
  unfit: 'Doesn’t fit the type “{type}”. The value stays as it is unless you edit it.',
  unfitMark: 'Doesn’t fit the type “{type}”',
  /** Announced by screen readers before the value. */
  unfitBefore: 'Doesn’t fit the type “{type}”:',
  edit: 'Edit: {label}',
  editText: 'Edit',
  utc: 'UTC',
  example: 'e.g. {example}',
  pick: { date: 'Pick a date', datetime: 'Pick a date and time', time: 'Pick a time' },
  pickFor: {
    date: 'Pick a date: {label}',
    datetime: 'Pick a date and time: {label}',
    time: 'Pick a time: {label}',
  },
  part: {
    amount: '{label}, amount',
    currency: '{label}, currency',
    user: '{label}, user id',
    entity: '{label}, entity id',
    status: '{label}, status',
    statusDate: '{label}, since (UTC)',
    expires: '{label}, expires (UTC)',
    datetime: '{label} (UTC)',
  },
  placeholder: {
    value: 'Value',
    currency: 'Code',
    user: 'User id',
    entity: 'Entity id (optional)',
    statusDate: 'Now',
    expires: 'Never',
  },
  /** Visible labels of the dates of a consent. */
  caption: { statusDate: 'Since (UTC)', expires: 'Expires (UTC)' },
  status: { GRANTED: 'Granted', DENIED: 'Denied', REVOKED: 'Revoked' },
  /** End of a preference, shown after its status. */
  expires: 'expires {moment}',
  pastCurrency: 'No longer used',
  /** A preference that has ended. */
  ended: {
    GRANTED: 'Expired {moment}',
    DENIED: 'Denied until {moment}',
    REVOKED: 'Revoked until {moment}',
  },
  /** Beginning of a preference that has ended, shown after its end. */
  held: { GRANTED: 'granted {moment}', DENIED: 'since {moment}', REVOKED: 'since {moment}' },
  /** A preference that has not begun. */
  future: {
    GRANTED: 'Granted from {moment}',
    DENIED: 'Denied from {moment}',
    REVOKED: 'Revoked from {moment}',
  },
  openLink: 'Open {host} in a new tab',
  rawAs: 'Format',
  rawText: 'Text',
  rawJson: 'JSON',
  /** Name of the list of values that a definition offers. */
  choices: 'Choices',
})

/** Texts of the suggestions for what a value in another notation may mean. */
export const readingText = defineMessages({
  meant: 'Did you mean:',
  take: 'Use {reading}: {label}',
})
