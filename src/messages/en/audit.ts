import { counted, number } from '../format.ts'

const people = (count: number) => counted(count, { one: 'person', other: 'people' })

/** Texts of the audit. */
export const auditText = {
  title: 'Audit',
  lead: 'Who read, checked or changed sensitive values of whom, when and why. No values.',
  list: 'Reads, checks and changes of sensitive values',
  columns: {
    user: 'Of whom',
    time: 'Time',
    kind: 'What',
    keys: 'Properties',
    actor: 'By whom',
    why: 'Why',
  },
  kinds: { read: 'Read', check: 'Checked', change: 'Changed' } as Readonly<Record<string, string>>,
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
    days: (from: string, to: string) => `${from} to ${to}, in days of UTC`,
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
  },
}
