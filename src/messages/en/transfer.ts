import { defineMessages } from '../language/message.ts'

/** Texts of work that a page does itself. */
export const transferText = defineMessages({
  progress: '{done, number} of {total, number}',
  waiting:
    'The service asked for a pause. Continuing in {seconds, plural, one {# second.} other {# seconds.}}',
  pause: 'Pause',
  goOn: 'Continue',
  cancel: 'Cancel',
  leave: {
    title: 'Stop and leave?',
    body: 'The export on this page stops when you leave.',
    stay: 'Stay',
    leave: 'Stop and leave',
  },
})

/** Export of users. */
export const userExportText = defineMessages({
  title: 'Export users',
  who: 'Users',
  /** Users of the list that the person came from. */
  search: {
    whole: 'All users in the list',
    filtered: 'The filtered list',
    found: 'Users matching “{query}”',
    foundFiltered: 'Users matching “{query}” and the list’s conditions',
  },
  selected: '{count, plural, one {# user selected in the list} other {# users selected in the list}}',
  list: 'A segment or all users',
  searchGoneTitle: 'Your search is gone',
  searchGoneBody:
    'Searches can contain personal data, so they aren’t kept in the page’s address and are lost on reload. Search again in the list and export from there, or choose a segment here.',
  toList: 'Go to list',
  size: '{count, plural, one {# user at the moment} other {# users at the moment}}',
  sizeAtLeast: '{count, plural, one {At least # user} other {At least # users}}',
  unsorted: 'More than {count, number} users are exported in the order in which they were created.',
  format: 'Format',
  csv: 'CSV',
  csvHint: 'For other programs and for importing here',
  xlsx: 'Excel workbook',
  xlsxHint: 'For spreadsheets. No text runs as a formula.',
  jsonl: 'JSON Lines',
  jsonlHint: 'One user per line, as in the API, without the invitation link',
  separator: 'Separator',
  separators: { ',': 'Comma', ';': 'Semicolon' },
  separatorHint: 'Excel expects semicolons in countries that write decimals with a comma',
  titles: 'Column titles',
  titleForms: { keys: 'Keys', labels: 'Labels' },
  titlesHint: 'The import recognises properties by their keys.',
  byteOrderMark: 'Mark the file as UTF-8, so that Excel shows letters such as é and ß correctly',
  columns: 'Columns',
  noColumns: 'Choose at least one column.',
  properties: 'Properties of an entity',
  propertiesHint: 'One entity type per file.',
  entity: 'Entity type',
  which: 'Users with more than one {entity} entity',
  matching: 'One row per matching {entity} entity',
  each: 'One row per {entity} entity',
  first: 'One row per user: the oldest {entity} entity',
  whichHint: 'Users without one get a row too. Column titles note your choice.',
  entityInvalid: 'Start with a lower-case letter, then use only a-z, 0-9, _ and -.',
  keys: 'Properties',
  allKeys: 'All properties',
  keysFailed: 'Couldn’t load the known properties. Enter one per line.',
  noKeys: 'No known properties for {entity} entities.',
  noKeyChosen: 'Choose at least one property.',
  entities: 'Include all entities and properties of each user',
  sensitive: 'Include sensitive values',
  sensitiveHint:
    'Otherwise their cells stay empty and the column titles say so. JSON Lines marks them as masked.',
  reason: 'Reason',
  reasonKept:
    'Saved with the export, and shown with your name in the audit log each time its file is downloaded.',
  reasonMissing: 'Enter a reason.',
  formulas:
    'Cells that a spreadsheet would run as a formula (starting with = + - or @) get a leading apostrophe. Importing them here removes it.',
  start: 'Export users',
  startCount: '{count, plural, one {Export # user} other {Export # users}}',
  notBegun: 'Couldn’t start the export',
  tooMany: 'Your search finds more than {count, number} users',
  tooManyBody: 'Search more narrowly, or export by conditions or a segment instead.',
})
