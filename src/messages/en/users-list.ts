import { defineMessages } from '../language/message.ts'

/** Texts of the list of users that other pages use too. */
export const userText = defineMessages({
  title: 'Users',
  table: 'Users',
  total: '{count, plural, one {# user} other {# users}}',
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
  unitColumn: '{label} ({unit})',
  account: {
    short: { yes: 'Yes', no: 'No' },
    long: { yes: 'Has an account', no: 'No account yet' },
  },
  segment: {
    label: 'Segment',
    chosen: 'Segment: {name}',
    all: 'All users',
    nothingFound: 'No segment matches',
    loading: 'Loading segments…',
    failed: 'Couldn’t load the segments. Open the list to try again.',
    nameless: 'Segment {id}',
  },
  search: {
    label: 'Find users',
    placeholder: 'Name, e-mail, ref or id',
    clear: 'Clear search',
    keys: '↑ ↓ move · Enter opens · Space previews · Shift+Space selects · Ctrl/⌘+A selects all · Esc returns to the search',
    keysWithoutSearch: '↑ ↓ move · Enter opens · Space previews',
    /** In place of the search box, on a service that knows the API document alone. */
    none: 'Searching and filtering need a Data Store service of this console’s release. To open a user by id, use “Find anywhere”.',
    found: '{total, number} found',
    foundMore: 'More than {total, number} found',
    /** For a service that does not count its matches. */
    foundSome: 'Matches found',
    searching: 'Searching…',
    similar: 'No match for “{query}”. Similar spellings:',
  },
  addCondition: 'Filter',
  export: 'Export',
  import: 'Import',
  chooseColumns: 'Columns and row height',
  openedInside:
    'You opened a page in the middle of the list, so “Previous” isn’t available. “First” goes to the start.',
  create: { action: 'New user' },
})

/** Texts of the list of users alone: empty pages, preview, columns. */
export const userListText = defineMessages({
  list: {
    emptyTitle: 'No users yet',
    emptyBody: 'Users appear here when a colleague or a connected system creates them.',
    emptySegmentTitle: 'No users in this segment',
    emptySegmentBody: 'No users match this segment’s filter right now.',
    emptyPageTitle: 'This page is empty now',
    emptyPageBody: 'The users on this page were deleted, or are no longer in the list.',
    firstPage: 'Go to first page',
    showSegment: 'Show filter',
    allUsers: 'Show all users',
    segmentGoneTitle: 'This segment doesn’t exist',
    segmentGoneBody:
      'The segment was deleted, or the link is wrong. Deleting a segment doesn’t delete users.',
    offsetGoneTitle: 'Can’t open this page of the list',
    offsetGoneBody: 'The link is damaged or belongs to another segment.',
  },
  nothing: {
    title: 'No users match “{query}”',
    body: 'We search the start of words in names, e-mails, refs and ids. Try fewer letters. To find users by another property, use a segment.',
    valuesBody:
      'We search the start of words in names, e-mails, refs and ids, and numbers such as phones, not hidden values. Try fewer letters.',
    segmentBody: 'Only this segment was searched, by the start of words in names, e-mails, refs and ids.',
    segmentValuesBody:
      'Only this segment was searched, by the start of words in names, e-mails, refs and ids, and numbers such as phones, not hidden values.',
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
  card: {
    label: 'Preview of {name}',
    entities: 'Entities',
    noEntities: 'None',
    more: 'and {count, number} more',
    properties: '{count, plural, one {# property} other {# properties}}',
    failed: 'Couldn’t load the entities.',
  },
  pinned: 'Pinned users',
  columns: {
    title: 'Columns',
    always: 'Always shown',
    density: 'Row height',
    compact: 'Compact',
    comfortable: 'Comfortable',
    reset: 'Reset',
    properties: 'Properties',
    add: 'Add property…',
    full: 'You can show up to {max, number} properties as columns.',
    /** Number of further values, shown beside the first one. */
    more: '+{count, number}',
    atLeast: '+{count, number} or more',
    unread: {
      title: 'Couldn’t load the property columns',
      kept: 'The other columns are complete.',
    },
    form: {
      title: 'Add column',
      type: 'Entity type',
      typePlaceholder: 'e.g. Car',
      key: 'Property',
      keyPlaceholder: 'e.g. Plate',
      chosen: 'This property already has a column.',
      add: 'Add column',
    },
  },
})

/** Texts of the conditions above the list of users. */
export const listFilterText = defineMessages({
  title: 'Condition',
  apply: 'Apply',
  back: 'Choose something else',
  edit: 'Change condition: {condition}',
  remove: 'Remove condition: {condition}',
  all: 'All of these match',
  clear: 'Clear all',
  save: 'Save as segment',
  /** Shown for a test of a sensitive key. */
  segmentOnly:
    'This service reveals sensitive values only with a reason, so a list can’t be filtered by them. Create a segment instead.',
  /** Shown when a search would be saved as a segment: only conditions can be saved, not the text in the search box. */
  saveWithoutText: 'A segment can’t include a search. Clear the search box to save these conditions.',
})

/** Texts about the users who are selected in the list. */
export const selectionText = defineMessages({
  label: 'Selection',
  select: 'Select {name}',
  summary: '{selected, number} selected',
  summaryElsewhere: '{selected, number} selected, {elsewhere, number} not on this page',
  page: 'Select this page',
  export: 'Export selection',
  set: 'Bulk change…',
  setAll: '{count, plural, one {Bulk change the # listed user…} other {Bulk change all # listed users…}}',
  clear: 'Clear selection',
})

/** Deletion of many users. */
export const deleteUsersText = defineMessages({
  button: '{count, plural, one {Delete # user…} other {Delete # users…}}',
  all: '{count, plural, one {Delete the # listed user…} other {Delete all # listed users…}}',
  title: '{count, plural, one {Delete # user?} other {Delete # users?}}',
  body: 'This deletes the users and all their entities and properties. If a different number of users is found, none is deleted. You can’t undo this.',
  action: '{count, plural, one {Delete # user} other {Delete # users}}',
  failed: 'Couldn’t start the deletion',
  lost: {
    title: 'The deletion may have started',
    body: 'The service didn’t answer. Look at the list of jobs before you try again.',
  },
})

/** Texts of the buttons that lead from one user of a list to the previous and the next. */
export const listStepsText = defineMessages({
  label: 'In the list',
  /** `nameless`: the user has no name, or there is no such user. */
  previous: { nameless: 'Previous user in the list', named: 'Previous user in the list: {name}' },
  next: { nameless: 'Next user in the list', named: 'Next user in the list: {name}' },
  /** Position of the user in the list. */
  place: '{place, number}',
  placeOf: '{place, number} of {total, number}',
})
