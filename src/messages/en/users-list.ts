import { counted, number } from '../format.ts'

const countedUsers = (count: number) => counted(count, { one: 'user', other: 'users' })

/** Texts of the list of users that other pages have, too. */
export const userText = {
  title: 'Users',
  table: 'Users',
  total: countedUsers,
  noName: 'No name',
  columns: {
    name: 'Name',
    email: 'E-mail',
    ref: 'Ref',
    since: 'Since',
    created: 'Created',
    account: 'Account',
    id: 'Id',
  },
  account: {
    short: (has: boolean) => (has ? 'Yes' : 'No'),
    long: (has: boolean) => (has ? 'Has an account' : 'No account yet'),
  },
  segment: {
    label: 'Segment',
    chosen: (name: string) => `Segment: ${name}`,
    all: 'All users',
    nothingFound: 'No segment matches',
    loading: 'Loading segments…',
    failed: 'Couldn’t load the segments. Open the list to try again.',
    nameless: (id: string) => `Segment ${id}`,
  },
  search: {
    label: 'Find users',
    placeholder: 'Name, e-mail, ref or id',
    clear: 'Clear search',
    keys: '↑ ↓ move · Enter opens · Space previews · Shift+Space selects · Ctrl/⌘+A selects all · Esc returns to the search',
    found: ({ total, isMore }: { readonly total: number | undefined; readonly isMore: boolean }) =>
      total === undefined
        ? 'Matches found'
        : isMore
          ? `More than ${number(total)} found`
          : `${number(total)} found`,
    searching: 'Searching…',
    similar: (what: string) => `No match for “${what}”. Similar spellings:`,
  },
  addCondition: 'Filter',
  export: 'Export',
  import: 'Import',
  chooseColumns: 'Columns and row height',
  openedInside:
    'You opened a page in the middle of the list, so the pages before it are unknown. “First” goes to the start.',
  create: { action: 'New user' },
}

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
    kept: 'What you typed is still here.',
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
      `The search stopped after the first ${number(max)} matches. Type more to narrow it down.`,
    failedTitle: 'Couldn’t read a page of the list',
    failedBody: 'Matches found so far are kept. Try again to continue.',
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

/** Texts of the conditions above the list of users. */
export const listFilterText = {
  title: 'Condition',
  about: 'Kind of condition',
  kinds: { user: 'About the user', entity: 'About their data' },
  apply: 'Apply',
  edit: (condition: string) => `Change condition: ${condition}`,
  remove: (condition: string) => `Remove condition: ${condition}`,
  all: 'All of these match',
  clear: 'Clear all',
  save: 'Save as segment',
  /** Said of a test of a sensitive key. */
  segmentOnly:
    'You need a reason to see sensitive values here, so a list can’t be filtered by them. Create a segment instead.',
  /** Shown when a search would be saved as a segment: only conditions can be saved, not the text in the search box. */
  saveWithoutText: 'A segment can’t include a search. Clear the search box to save these conditions.',
}

/** Texts of the users who are selected in the list. */
export const selectionText = {
  label: 'Selection',
  select: (name: string) => `Select ${name}`,
  summary: ({ selected, elsewhere }: { readonly selected: number; readonly elsewhere: number }) =>
    elsewhere === 0
      ? `${number(selected)} selected`
      : `${number(selected)} selected, ${number(elsewhere)} not on this page`,
  page: 'Select this page',
  export: 'Export selection',
  set: 'Bulk change…',
  setAll: (count: number) => `Bulk change all ${countedUsers(count)} listed…`,
  clear: 'Clear selection',
}

/** Texts of the way from one user of a list to the next. */
export const listStepsText = {
  label: 'In the list',
  /** A user may have no name, and there may be no such user. */
  previous: (name: string | undefined) =>
    name === undefined ? 'Previous in the list' : `Previous in the list: ${name}`,
  next: (name: string | undefined) => (name === undefined ? 'Next in the list' : `Next in the list: ${name}`),
  at: ({ at, total }: { readonly at: number; readonly total: number | undefined }) =>
    total === undefined ? number(at) : `${number(at)} of ${number(total)}`,
}
