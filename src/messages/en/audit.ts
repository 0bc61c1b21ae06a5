import { counted, number } from '../format.ts'

const rows = (count: number) => counted(count, { one: 'row', other: 'rows' })
const users = (count: number) => counted(count, { one: 'user', other: 'users' })

/** Texts of the audit log. */
export const auditText = {
  title: 'Audit',
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
  kinds: { read: 'Read', check: 'Checked', change: 'Changed', search: 'Searched' } as Readonly<
    Record<string, string>
  >,
  /** Number of users that a search was about. */
  users,
  /** Ways in which values were tested and not shown. */
  by: {
    search: 'List filter',
    list: 'List of a segment',
    preview: 'Filter preview',
    membership: 'Segments of the user',
    batch: 'Bulk change',
    segment: 'Segments and their sizes',
  } as Readonly<Record<string, string>>,
  deleted: 'Deleted user',
  gone: 'This user was deleted. Only the id is kept.',
  keysDenied: 'Your role can’t see which properties.',
  narrow: (actor: string) => `Show only what ${actor} did`,
  empty: {
    title: 'No access yet',
    body: 'Each time someone reads, checks or changes a sensitive value, it appears here.',
  },
  noMatch: {
    title: 'No matching access',
    body: 'Change a filter, or clear them all.',
    clear: 'Clear filters',
  },
  noMore: {
    title: 'Nothing older',
    body: 'This page is past the end of the list.',
    newest: 'Show the newest',
  },
}

/** Figures of those who used sensitive data. */
export const actorText = {
  title: 'Who used sensitive data',
  failed: 'Couldn’t load the figures',
  days: ({ from, to }: AuditSpan) => `${from} to ${to} (UTC)`,
  span: ({ from, to }: AuditSpan) => `${from} to ${to}`,
  cut: (span: string) => `${span}: too many to count, only the newest are included`,
  actor: 'Who',
  reads: 'Viewed',
  checks: 'Checks',
  changes: 'Changes',
  people: 'Users',
  busiest: 'Most users in an hour',
  at: ({ count, time }: { readonly count: number; readonly time: string }) => `${number(count)}, ${time}`,
  unusual: 'Unusual',
  unusualHint: ({ most, usual }: { readonly most: number; readonly usual: number | undefined }) =>
    usual === undefined
      ? `${users(most)} in an hour, with no other day to compare. Flagged from 50 users.`
      : `${users(most)} in an hour, usually ${number(usual)}. Flagged at 50 users or more when that’s 5 times the usual number.`,
  warning: (count: number) =>
    counted(count, {
      one: 'colleague or program accessed unusually many users within an hour',
      other: 'colleagues or programs accessed unusually many users within an hour',
    }),
  more: (count: number) => `Show ${number(count)} more`,
  atLeast: 'This list is incomplete: others accessed sensitive data too.',
  none: 'Nobody in this period.',
  noneListed: 'Nobody.',
}

interface AuditSpan {
  readonly from: string
  readonly to: string
}

export const auditFilterText = {
  actorHint: 'Name or id they sign in with',
  actors: 'Active in this period',
  key: 'Property',
  keys: 'Sensitive properties',
  any: 'Any',
  apply: 'Show access',
  isUser: (name: string) => `User: ${name}`,
  isActor: (actor: string) => `By ${actor}`,
  isKey: (label: string) => `Property: ${label}`,
}

export const auditExportText = {
  title: 'Export the audit log',
  all: 'Everything in the audit log, newest first.',
  filtered: 'Everything that matches the filters, newest first.',
  holds:
    'The file contains times, ids of users, entities and segments, who did it, property names and reasons. It contains no values, and no names or e-mails of users. Reasons may say something about people, so treat the file as personal data.',
  running: 'Exporting the audit log',
  rows: ({ count, back }: { readonly count: number; readonly back: string | undefined }) =>
    back === undefined ? rows(count) : `${rows(count)}, back to ${back}`,
  done: ({ count, file }: { readonly count: number; readonly file: string }) => `${rows(count)} in ${file}.`,
}
