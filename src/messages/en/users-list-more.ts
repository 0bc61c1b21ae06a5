import { counted, number } from '../format.ts'

const countedUsers = (count: number) => counted(count, { one: 'user', other: 'users' })

/** Texts of the list of users alone: empty pages, scan, preview, columns. */
export const userListText = {
  list: {
    emptyTitle: 'No users yet',
    emptyBody: 'Users appear here when a colleague or a connected system creates them.',
    emptySegmentTitle: 'No users in this segment',
    emptySegmentBody: 'No user matches its filter right now.',
    emptyPageTitle: 'This page is empty now',
    emptyPageBody: 'Its users were deleted, or left the segment.',
    firstPage: 'Go to first page',
    showSegment: 'Show filter',
    allUsers: 'Show all users',
    segmentGoneTitle: 'This segment doesn’t exist',
    segmentGoneBody: 'The segment was deleted, or the link is wrong. Deleting a segment deletes no users.',
    offsetGoneTitle: 'Can’t open this page of the list',
    offsetGoneBody: 'The link is damaged, or belongs to another segment.',
  },
  nothing: {
    title: (what: string) => `No users match “${what}”`,
    body: 'We match the start of each word in names, e-mails, refs and ids. Try fewer letters. To find users by a phone number or another property, use a segment.',
    valuesBody:
      'We match the start of each word in names, e-mails, refs and ids, and of values with a digit, such as phone numbers. Try fewer letters. Hidden values aren’t searched.',
    segmentBody:
      'Only this segment was searched, by the start of each word in names, e-mails, refs and ids. Phone numbers and other properties aren’t searched.',
    segmentValuesBody:
      'Only this segment was searched: names, e-mails, refs, ids, and values with a digit, such as phone numbers. Hidden values aren’t searched.',
    everywhere: 'Search all users',
    clear: 'Clear search',
    conditionsTitle: 'No users match these conditions',
    conditionsBody: 'A user must match every condition. Change or remove one.',
    conditionsSegmentBody: 'A user must match every condition and be in this segment.',
    clearConditions: 'Clear conditions',
  },
  failed: {
    title: 'The search failed',
    kept: 'Your text is still in the search box.',
  },
  scan: {
    start: (total: number | undefined) =>
      total === undefined ? 'Search all pages' : `Search ${countedUsers(total)}`,
    startSegment: (total: number | undefined) =>
      total === undefined ? 'Search this segment' : `Search this segment’s ${countedUsers(total)}`,
    openId: 'Open as id',
    progress: 'Users searched',
    /** Beside the bar, and once the search has ended. */
    progressLine: ({ searched, total, found, isDone }: ScanFigures) =>
      isDone
        ? `Searched all ${number(searched)} · ${number(found)} found`
        : total === undefined
          ? `Searched ${countedUsers(searched)} · ${number(found)} found`
          : `Searched ${number(searched)} of ${number(total)} · ${number(found)} found`,
    stop: 'Stop',
    resume: 'Resume',
    full: (max: number) =>
      `The search stopped after the first ${number(max)} matches. Type more to find fewer.`,
    failedTitle: 'Couldn’t read a page of the list',
    failedBody: 'Matches so far are kept. Try again to continue from the page that failed.',
    noneSoFar: (what: string) => `No matches for “${what}” so far`,
  },
  id: {
    noneTitle: 'No user has this id',
    noneBody: 'The id belongs to something else, or the user was deleted.',
    failedTitle: 'Couldn’t look up the id',
  },
  card: {
    label: (name: string) => `Preview of ${name}`,
    entities: 'Entities',
    noEntities: 'None',
    more: (count: number) => `and ${number(count)} more`,
    properties: (count: number) => counted(count, { one: 'property', other: 'properties' }),
    failed: 'Couldn’t load the entities.',
  },
  pinned: 'Pinned users',
  columns: {
    title: 'Columns',
    density: 'Row height',
    compact: 'Compact',
    comfortable: 'Comfortable',
    reset: 'Reset',
    properties: 'Properties',
    add: 'Add property…',
    full: (max: number) => `Up to ${number(max)} properties can have a column.`,
    /** Beside the first value. */
    more: ({ count, isMore }: { readonly count: number; readonly isMore: boolean }) =>
      isMore ? `+${number(count)} or more` : `+${number(count)}`,
    unread: {
      title: 'Couldn’t load the columns of properties',
      kept: 'The list of users is complete without them.',
    },
    form: {
      title: 'Add column',
      type: 'Entity type',
      typePlaceholder: 'e.g. car',
      key: 'Property',
      keyPlaceholder: 'e.g. plate',
      chosen: 'This property already has a column.',
      add: 'Add column',
    },
  },
}

interface ScanFigures {
  readonly searched: number
  readonly total: number | undefined
  readonly found: number
  readonly isDone: boolean
}
