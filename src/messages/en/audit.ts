import type { AuditKind } from '#contract/index.ts'
import { defineMessages } from '../language/message.ts'

/** Texts of the audit log. */
export const auditText = defineMessages({
  title: 'Audit log',
  lead: 'Every time someone viewed, searched, checked or changed sensitive data. Values are never shown here.',
  list: 'Access to sensitive data',
  columns: {
    user: 'User',
    time: 'Time',
    kind: 'Action',
    keys: 'Properties',
    actor: 'By',
    why: 'Reason',
  },
  kinds: { read: 'Viewed', check: 'Checked', change: 'Changed', search: 'Searched' } satisfies Record<
    AuditKind | 'search',
    string
  >,
  /** Number of users that a search was about. */
  users: '{count, plural, one {# user} other {# users}}',
  /** Ways in which values were tested without being shown. */
  by: {
    search: 'List filter',
    list: 'Users of a segment',
    preview: 'Filter preview',
    membership: 'A user’s segments',
    batch: 'Bulk change',
    export: 'Export',
    segment: 'Segments and sizes',
  },
  deleted: 'Deleted user {id}',
  gone: 'This user was deleted. Only the id is kept.',
  keysDenied: 'Your role can’t see which properties these are.',
  narrow: 'Show only what {actor} did',
  empty: {
    title: 'Nothing recorded yet',
    body: 'Each time someone views, searches, checks or changes sensitive values, an entry appears here.',
  },
  noMatch: {
    title: 'No matching entries',
    body: 'Change a filter, or clear them all.',
    clear: 'Clear filters',
  },
  noMore: {
    title: 'No older entries',
    body: 'This page is past the end of the list.',
    newest: 'Show newest entries',
  },
})

/** Texts about who accessed sensitive data, and how often. */
export const actorText = defineMessages({
  title: 'Who accessed sensitive data',
  failed: 'Couldn’t load who accessed sensitive data',
  days: '{from} to {to} (UTC)',
  span: '{from} to {to}',
  cut: '{from} to {to}: too many entries to count, so only the newest are included',
  actor: 'Who',
  reads: 'Viewed',
  checks: 'Checked',
  changes: 'Changed',
  people: 'Users',
  busiest: 'Busiest hour',
  at: '{count, plural, one {# user, {time}} other {# users, {time}}}',
  unusual: 'Unusual',
  /** Shown if there is no other day to compare with. */
  unusualAlone:
    '{most, plural, one {# user in an hour, with no other day to compare with.} other {# users in an hour, with no other day to compare with.}} Flagged at 50 users or more.',
  unusualAmongDays:
    '{most, plural, one {# user in an hour, usually {usual, number}.} other {# users in an hour, usually {usual, number}.}} Flagged at 50 users or more when that’s 5 times the usual number.',
  warning:
    '{count, plural, one {# colleague or program accessed the data of an unusually high number of users within an hour} other {# colleagues or programs accessed the data of an unusually high number of users within an hour}}',
  more: 'Show {count, number} more',
  atLeast: 'This list is incomplete: others accessed sensitive data too.',
  none: 'Nobody in this period.',
  noneListed: 'Nobody.',
})

export const auditFilterText = defineMessages({
  actorHint: 'Sign-in name',
  actors: 'Active in this period',
  key: 'Property',
  keys: 'Sensitive properties',
  any: 'Any',
  apply: 'Show entries',
  isUser: 'User: {name}',
  isActor: 'By: {actor}',
  isKey: 'Property: {property}',
})

export const auditExportText = defineMessages({
  title: 'Export the audit log',
  all: 'Everything in the audit log, newest first.',
  filtered: 'Everything that matches the filters, newest first.',
  holds:
    'The file contains times, ids of users, entities and segments, who accessed the data, property names and reasons. It contains no values, and no names or e-mails of users. Reasons can reveal something about a user, so treat the file as personal data.',
  running: 'Exporting the audit log',
  rows: '{count, plural, one {# row} other {# rows}}',
  /** `time`: time of the oldest row so far. */
  rowsBackTo: '{count, plural, one {# row, back to {time}} other {# rows, back to {time}}}',
  done: '{count, plural, one {# row in {file}.} other {# rows in {file}.}}',
})
