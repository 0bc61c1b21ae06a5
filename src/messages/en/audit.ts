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
}
