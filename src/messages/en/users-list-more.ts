import { counted, number } from '../format.ts'

const countedUsers = (count: number) => counted(count, { one: 'user', other: 'users' })

/** Texts of the list of users that come with what is reached for: empty pages, scan, preview, columns. */
export const userListText = {
  list: {
    emptyTitle: 'No users yet',
    emptyBody: 'Users appear here when a person or another system creates them.',
    emptySegmentTitle: 'Nobody is in this segment',
    emptySegmentBody: 'No user matches its filter at the moment.',
    emptyPageTitle: 'Nothing is left on this page',
    emptyPageBody: 'The users that stood here were deleted, or have left the segment.',
    firstPage: 'Go to the first page',
    showSegment: 'See the filter',
    allUsers: 'Show all users',
    segmentGoneTitle: 'This segment does not exist any more',
    segmentGoneBody: 'It was deleted, or the address is wrong. Its users are still among all users.',
    offsetGoneTitle: 'This page of the list cannot be opened',
    offsetGoneBody: 'Its address is damaged, or was made for another segment.',
  },
  nothing: {
    title: (what: string) => `No name, e-mail, ref or id has “${what}”`,
    body: 'Their words are searched by their beginnings. Try fewer letters, or another part of the name. Phone numbers and other properties are not searched; a segment finds users by those.',
    valuesTitle: (what: string) => `Nobody was found for “${what}”`,
    valuesBody:
      'Names, e-mails, refs and ids are searched by the beginnings of their words, and so are properties with a digit in them, such as phone numbers. Try fewer letters, or another part of the name. Hidden values are not searched.',
    segmentBody:
      'Only this segment was searched, by the beginnings of the words in names, e-mails, refs and ids. Phone numbers and other properties are not searched.',
    segmentValuesBody:
      'Only this segment was searched: names, e-mails, refs and ids, and properties with a digit in them, such as phone numbers. Hidden values are not searched.',
    everywhere: 'Search all users',
    clear: 'Clear the search',
    conditionsTitle: 'Nobody matches these conditions',
    conditionsBody: 'All of them have to hold. Change one of them, or leave one out.',
    conditionsSegmentBody: 'All of them have to hold, and only this segment was looked through.',
    clearConditions: 'Clear the conditions',
  },
  failed: {
    title: 'The search did not work',
    kept: 'What you typed is kept.',
  },
  scan: {
    start: (total: number | undefined) =>
      total === undefined ? 'Search all pages' : `Search ${countedUsers(total)}`,
    startSegment: (total: number | undefined) =>
      total === undefined ? 'Search this segment' : `Search this segment’s ${countedUsers(total)}`,
    openId: 'Open as id',
    progress: 'Users searched',
    searched: (searched: number, total: number | undefined) =>
      total === undefined
        ? `Searched ${countedUsers(searched)}`
        : `Searched ${number(searched)} of ${number(total)}`,
    done: (searched: number) => `Searched all ${number(searched)}`,
    found: (count: number) => `${number(count)} found`,
    stop: 'Stop',
    goOn: 'Go on',
    stopped: 'Stopped.',
    full: (max: number) =>
      `These are the first ${number(max)} matches; the rest was not searched. Type more to find fewer.`,
    failedTitle: 'A page could not be read',
    failedBody: 'What was found stays. It goes on with the page that failed.',
    none: {
      title: (what: string) => `No name, e-mail, ref or id has “${what}”`,
      soFar: (what: string) => `No name, e-mail, ref or id has “${what}” so far`,
      body: 'Words are compared by their beginnings. Phone numbers and other properties are not searched; a segment finds users by those.',
    },
    everywhere: 'Search all users instead',
  },
  id: {
    looking: 'Looking up the id…',
    noneTitle: 'No user has this id',
    noneBody: 'It may be the id of something else, or of a user who was deleted.',
    failedTitle: 'The id could not be looked up',
  },
  card: {
    label: (name: string) => `Preview of ${name}`,
    since: 'Since',
    created: 'Created',
    ref: 'Ref',
    id: 'Id',
    email: 'E-mail',
    entities: 'Entities',
    noEntities: 'None',
    more: (count: number) => `and ${number(count)} more`,
    properties: (count: number) => counted(count, { one: 'property', other: 'properties' }),
    failed: 'The entities could not be loaded.',
  },
  pinned: 'Pinned users',
  columns: {
    id: 'Id',
    title: 'Columns',
    density: 'Row height',
    compact: 'Compact',
    comfortable: 'Comfortable',
    reset: 'Reset',
    properties: 'Properties',
    add: 'Add a property…',
    full: (max: number) => `At most ${number(max)} properties have a column.`,
    /** Beside the first value. */
    more: (count: number, isMore: boolean) => (isMore ? `+${number(count)} or more` : `+${number(count)}`),
    unread: {
      title: 'The properties in the columns could not be loaded',
      kept: 'The users themselves are all here.',
    },
    form: {
      title: 'Add a column',
      type: 'Entity type',
      typePlaceholder: 'e.g. car',
      key: 'Property',
      keyPlaceholder: 'e.g. plate',
      chosen: 'This property has a column already.',
      add: 'Add column',
    },
  },
}
