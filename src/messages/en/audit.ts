import { counted, number } from '../format.ts'

const rows = (count: number) => counted(count, { one: 'row', other: 'rows' })
const people = (count: number) => counted(count, { one: 'person', other: 'people' })

/** Texts of the audit. */
export const auditText = {
  title: 'Audit',
  lead: 'Who read, searched, checked or changed sensitive values of whom, when and why. No values.',
  list: 'Reads, checks and changes of sensitive values',
  columns: {
    user: 'Of whom',
    time: 'Time',
    kind: 'What',
    keys: 'Properties',
    actor: 'By whom',
    why: 'Why',
  },
  kinds: { read: 'Read', check: 'Checked', change: 'Changed', search: 'Searched' } as Readonly<
    Record<string, string>
  >,
  /** Users whom a search tells of. */
  users: (count: number) => counted(count, { one: 'user', other: 'users' }),
  /** By what values were tested and not shown. */
  by: {
    search: 'Filter of a list',
    list: 'List of a segment',
    preview: 'Preview of a filter',
    membership: 'Segments of the user',
    batch: 'Bulk change',
    segment: 'Segments and their sizes',
  } as Readonly<Record<string, string>>,
  deleted: 'Deleted user',
  gone: 'The user has been deleted: ids are kept, and nothing else.',
  keysDenied: 'Your role does not show which properties they were.',
  narrow: (actor: string) => `Only what ${actor} did`,
  empty: {
    title: 'Nothing yet',
    body: 'As soon as somebody reads, checks or changes a sensitive value, it stands here.',
  },
  noMatch: {
    title: 'Nothing matches the filters',
    body: 'Nobody did that to those values in that time.',
    clear: 'Clear the filters',
  },
  noMore: { title: 'Nothing older', body: 'The list ends before this page.', newest: 'To the newest' },
  actors: {
    title: 'Who used sensitive values',
    failed: 'The figures could not be loaded',
    days: (from: string, to: string) => `${from} to ${to}, in days of UTC`,
    span: (from: string, to: string) => `${from} to ${to}`,
    cut: (span: string) => `${span}: only the newest are counted, since there are too many`,
    actor: 'Who',
    reads: 'Reads',
    checks: 'Checks',
    changes: 'Changes',
    people: 'People',
    busiest: 'Most people within an hour',
    at: (count: number, time: string) => `${number(count)}, ${time}`,
    unusual: 'Unusual',
    unusualHint: (most: number, usual: number | undefined) =>
      `${people(most)} within an hour, ${usual === undefined ? 'and no other day to compare it with' : `where ${number(usual)} is usual on other days`}. It is marked from 50 people on, where that is five times the usual.`,
    warning: (count: number) =>
      counted(count, { one: 'person or program', other: 'people or programs' }) +
      ' met unusually many people in short time',
    more: (count: number) => `Show ${number(count)} more`,
    atLeast: 'There are more than are listed here.',
    none: 'Nobody, in these days.',
    noneListed: 'Nobody.',
  },
  filter: {
    button: 'Filter',
    user: 'Of whom',
    actor: 'By whom',
    actorHint: 'As the sign-in names them',
    actors: 'Known from these days',
    key: 'Property',
    keys: 'Sensitive properties',
    kind: 'What',
    any: 'Anything',
    localZone: 'local time',
    from: (zone: string) => `From (${zone})`,
    to: (zone: string) => `Before (${zone})`,
    presets: 'Spans of time',
    lastDay: 'Last 24 hours',
    lastWeek: 'Last 7 days',
    last30Days: 'Last 30 days',
    lastMonth: 'Last month',
    apply: 'Show',
    reset: 'Clear all',
    badTime: 'Give the whole date and time, or clear it.',
    badSpan: 'Give an end that is after the beginning.',
    nobody: 'Choose one of the users found, or clear it.',
    list: 'Filters',
    remove: (condition: string) => `Remove the filter: ${condition}`,
    isUser: (name: string) => `Of ${name}`,
    isActor: (actor: string) => `By ${actor}`,
    isKey: (key: string) => `Property: ${key}`,
    isFrom: (time: string) => `From ${time}`,
    isTo: (time: string) => `Before ${time}`,
  },
  export: {
    button: 'Export',
    title: 'Export the audit',
    all: 'Everything in the audit, from the newest to the oldest.',
    filtered: 'All that matches the filters, from the newest to the oldest.',
    holds:
      'The file holds times, ids of users, entities and segments, who did it, names of properties and the reasons that were given. It holds no values, no names and no e-mails of users. Reasons are about people: keep the file as such.',
    running: 'Exporting the audit',
    rows: (count: number, back: string | undefined) =>
      back === undefined ? rows(count) : `${rows(count)}, back to ${back}`,
    done: (count: number, file: string) => `${rows(count)} in ${file}.`,
  },
}
