import { defineMessages } from '../language/message.ts'

/** Texts that export and import share. A `label` is a property's key as people write it. */
export const transferText = defineMessages({
  progress: '{done, number} of {total, number}',
  waiting:
    'The service asked for a pause. Continuing in {seconds, plural, one {# second.} other {# seconds.}}',
  pause: 'Pause',
  goOn: 'Continue',
  cancel: 'Cancel',
  back: 'Back',
  leave: {
    title: 'Stop and leave?',
    body: 'The export or import on this page stops when you leave.',
    stay: 'Stay',
    leave: 'Stop and leave',
  },
  leaveReport: {
    title: 'Leave without the report?',
    body: 'The rows that weren’t imported are only on this page. Download them first.',
    stay: 'Stay',
    leave: 'Leave without report',
  },

  /** Problems of a row, for the screen and for the report. */
  problems: {
    /** A problem, with the column or the part of the request that has it. */
    at: '{place}: {problem}',
    ragged:
      '{cells, plural, one {This row has # cell, but the first row has {width, number}.} other {This row has # cells, but the first row has {width, number}.}} Check for a misplaced separator or quote.',
    nothing: 'This row has nothing to import.',
    badId: '“{cell}” isn’t the id of a user.',
    sameId: 'Row {row, number} has the same id.',
    sameEmail: 'Row {row, number} has the same e-mail.',
    sameRef: 'Row {row, number} has the same ref.',
    sameUser: 'Row {row, number} is the same user.',
    twoMatches: 'The id, e-mail and ref of this row belong to different users.',
    unknown:
      'The service didn’t answer. Without an e-mail or ref, importing this row again could create the user twice. Look for the user first.',
    perhapsOurs:
      'The service didn’t answer at first. The user exists now, but someone else could have created them, so no properties were saved.',
    noId: 'The user was created, but the service didn’t return their id, so no properties were saved.',
    /** Note of a row whose other properties were imported. */
    olderConsents: 'A later consent stays: {properties}.',
    withoutProperties: 'The user was saved, but their properties weren’t. {reason}',
    refused: 'The service refused this row ({status}).',
    notSent: 'Not sent because the import was stopped.',
  },
})

/** Export of users. */
export const userExportText = defineMessages({
  title: 'Export users',
  who: 'Users',
  /** Users of the list that the person came from. */
  search: {
    whole: 'All users in the list',
    filtered: 'Users who match the list’s conditions',
    found: 'Users matching “{query}”',
    foundFiltered: 'Users matching “{query}” and the list’s conditions',
  },
  selected: '{count, plural, one {# user selected in the list} other {# users selected in the list}}',
  list: 'A segment, or all users',
  searchGoneTitle: 'Your search is gone',
  searchGoneBody:
    'Searches can contain personal data, so they aren’t kept in the page’s address and are lost on reload. Search again in the list and export from there, or choose a segment here.',
  toList: 'Go to list',
  size: '{count, plural, one {# user at the moment} other {# users at the moment}}',
  sizeAtLeast: '{count, plural, one {At least # user} other {At least # users}}',
  format: 'Format',
  csv: 'CSV',
  csvHint: 'For spreadsheets and for importing here',
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
  which: 'Users with several entities of type {entity}',
  matching: 'One row per matching {entity}',
  each: 'One row per {entity}',
  first: 'One row per user: their oldest {entity}',
  whichHint: 'Users without one get a row too. Column titles note your choice.',
  entityInvalid: 'Start with a lower-case letter, then use only a-z, 0-9, _ and -.',
  keys: 'Properties',
  allKeys: 'All properties',
  keysFailed: 'Couldn’t load the known properties. Enter one per line.',
  noKeys: 'No known properties for entities of type “{entity}”.',
  noKeyChosen: 'Choose at least one property.',
  entities: 'Include all entities and properties of each user',
  sensitive: 'Include sensitive values',
  sensitiveHint:
    'Otherwise their cells stay empty and the column titles say so. JSON Lines marks them as masked.',
  reason: 'Reason',
  reasonKept:
    'Stored with the export, and shown with your name in the audit log each time its file is downloaded.',
  reasonMissing: 'Enter a reason.',
  formulas:
    'Cells that a spreadsheet would run as a formula (starting with = + - or @) get a leading apostrophe. Importing them here removes it.',
  start: 'Export users',
  startCount: '{count, plural, one {Export # user} other {Export # users}}',
  notBegun: 'Couldn’t start the export',
  tooMany: 'Your search finds more than {count, number} users',
  tooManyBody: 'Search more narrowly, or export by conditions or a segment instead.',
})

/** Import of users. */
export const userImportText = defineMessages({
  title: 'Import users',
  steps: { file: 'File', columns: 'Columns', check: 'Check', import: 'Import', done: 'Done' },
  stepsLabel: 'Steps',
  /** Name of the file with the rows that were not imported. */
  reportName: 'users-not-imported',
  file: {
    drop: 'Drop a CSV file here',
    or: 'or',
    choose: 'Choose file',
    paste: 'Or paste rows, for example from a spreadsheet',
    read: 'Use pasted rows',
    pasted: 'Pasted rows',
    other: 'Choose another file',
    encoding: 'Encoding',
    encodings: {
      'utf-8': 'UTF-8',
      'utf-16le': 'UTF-16 (little-endian)',
      'utf-16be': 'UTF-16 (big-endian)',
      'windows-1252': 'Windows-1252 (Western European)',
    },
    separator: 'Separator',
    separators: { ',': 'Comma', ';': 'Semicolon', '\t': 'Tab', '|': 'Vertical bar' },
    header: 'Column names',
    headerRow: 'Row {row, number}: {names}',
    noHeader: 'None',
    windows: 'This file isn’t UTF-8, so it’s read as Windows-1252. Check letters such as é and ß below.',
    doubled: 'Several columns have the same name: {names}. The second one is called “… (2)” here.',
    found: '{rows, plural, one {# row,} other {# rows,}} {columns, plural, one {# column} other {# columns}}',
    guarded:
      '{count, plural, one {# cell has a mark that keeps spreadsheets from changing it, such as an apostrophe. The import removes it.} other {# cells have a mark that keeps spreadsheets from changing them, such as an apostrophe. The import removes it.}}',
    preview: 'First rows of the file',
    next: 'Next: columns',
    problem: {
      empty: { title: 'The file is empty', body: 'Choose a file with one row per user.' },
      large: {
        title: 'The file is too large',
        body: 'A file can be up to 64 MB. Split the file and import the parts.',
      },
      workbook: {
        title: 'This is a workbook, not a CSV file',
        body: 'Save the sheet as “CSV UTF-8” in your spreadsheet, then choose that file.',
      },
      binary: {
        title: 'This is not a text file',
        body: 'Choose a CSV file: plain text with one row per user.',
      },
      encoding: {
        title: 'The file isn’t in this encoding',
        body: 'Spreadsheets on Windows often save files as Windows-1252. Read the file that way, then check that letters such as é and ß are right.',
      },
      unreadable: {
        title: 'Couldn’t read the file',
        body: 'The file may have been moved or changed. Choose it again.',
      },
      rows: {
        title: 'No rows below the header',
        body: 'The file has column names but no users. Choose a file with one row per user.',
      },
    },
    asWindows: 'Read as Windows-1252',
    quotesTitle: 'Unmatched quotes in row {row, number}',
    quotesOpen:
      'A cell in this row opens a quote but doesn’t close it. Close the quote, or choose another separator.',
    quotesEarly:
      'A cell in this row has text after its closing quote. Double each quote inside a cell: "Ana ""the first"" Lopez".',
  },
  run: {
    title: 'Importing',
    keepOpen: 'Keep this page open until the import is done.',
    pausing: 'Finishing the current rows…',
    stop: 'Stop import',
    paused: 'Paused',
    pausedBody: 'Rows already imported are kept. Continue to import the rest.',
    unreachable: 'Can’t reach the service',
    unreachableBody:
      'The import stopped. Rows already imported are kept. Continue once the connection is back.',
    busy: 'The service is too busy',
    busyBody: 'The service asked for a pause several times. Rows already imported are kept. Continue later.',
    forbidden: 'Your role can’t continue this import',
    broken: 'The import stopped',
    brokenBody: 'Something went wrong. Rows already imported are kept. Continue to import the rest.',
  },
  done: {
    title: 'Import complete',
    stoppedTitle: 'Import stopped',
    outcome: {
      created: 'Created',
      changed: 'Updated',
      same: 'Unchanged',
      left: 'Already existed, unchanged',
      failed: 'Failed',
      waiting: 'Not sent',
    },
    retry: '{count, plural, one {Retry # failed row} other {Retry # failed rows}}',
    goOn: 'Import the rest',
    report:
      '{count, plural, =1 {Download the row that wasn’t imported} other {Download # rows that weren’t imported}}',
    reportHint:
      'The downloaded file has the columns of your file, plus one with the reason. Fix its rows, then import it.',
    again: 'Import another file',
    list: 'Go to users',
  },
})

/** The columns of a file, in the import. */
export const importColumnsText = defineMessages({
  table: 'Columns of the file',
  column: 'Column',
  samples: 'Values',
  target: 'Becomes',
  nameless: 'Column {position, number}',
  targetOf: '{column} becomes',
  ignore: 'Ignored',
  fields: {
    id: 'Id',
    name: 'Name',
    first: 'First name',
    middle: 'Middle name',
    last: 'Last name',
    email: 'E-mail',
    ref: 'Ref',
    since: 'Since',
  },
  property: 'Property',
  key: 'Property',
  keyOf: 'Property for {column}',
  type: 'Type',
  typeOf: 'Type of {column}',
  sensitiveOf: '{column} is sensitive',
  /** A cell as written in the file, and the value that it stands for. */
  readAs: '{example} → {meaning}',
  numbersAs: '{example} is {meaning}',
  meansNothing: '{example} is nothing',
  numbersOpen: 'Choose…',
  /** Labels of the questions about cells that can be read in several ways. */
  asks: {
    order: 'Dates in {column}',
    serials: 'Whole numbers in {column}',
    century: 'Years in {column}',
    decimal: 'Numbers in {column}',
    currency: 'Currency in {column}',
    scheme: 'Addresses in {column}',
    yes: 'Words in {column}',
    consent: 'Consents in {column}',
  },
  openQuestion: 'These cells can be read in two ways. Choose one, or they can’t be imported.',
  empties: '{count, plural, one {# cell counts as empty: {cells}.} other {# cells count as empty: {cells}.}}',
  unreadable: '{count, plural, one {# cell can’t be read} other {# cells can’t be read}}',
  unreadableCell: '{count, plural, one {“{cell}”} other {“{cell}” (# times)}}',
  leaveBad: 'Leave cells empty that can’t be read',
  leaveBadHint: 'Otherwise their rows aren’t imported.',
  /** Why a cell cannot be read. */
  bad: {
    TEXT: '“{cell}” can’t be read.',
    DATE: '“{cell}” isn’t a date.',
    DATETIME: '“{cell}” isn’t a date and time. Use one such as 2024-03-01 09:30:00.',
    TIME: '“{cell}” isn’t a time of day.',
    NUMBER: '“{cell}” isn’t a number.',
    DECIMAL: '“{cell}” isn’t a number.',
    CURRENCY: '“{cell}” isn’t an amount with a currency.',
    BOOLEAN: '“{cell}” is neither yes nor no.',
    EMAIL: '“{cell}” isn’t an e-mail address.',
    URL: '“{cell}” isn’t a web address.',
    RELATIONSHIP: '“{cell}” isn’t the id of a user.',
    PREFERENCE: '“{cell}” isn’t a consent.',
    ambiguous: '“{cell}” can be read in two ways. Choose one in the columns.',
    percent: '“{cell}” is a percentage. Remove the sign, or import it as text.',
    destroyed: '“{cell}” was shortened by a spreadsheet. Look up the whole number.',
  },
  empty: 'No values',
  hint: 'Properties go to each user’s oldest person entity. Empty cells change nothing.',
  unmatched:
    'No column is an id, an e-mail or a ref, so existing users can’t be recognised: every row creates a new user.',
  ignored: '{ignored, plural, one {# column ignored.} other {# columns ignored.}}',
  problem: {
    twice: 'Another column is already imported as this. Choose something else.',
    'whole name': 'Another column is already imported as the whole name. Choose something else.',
    'no key': 'Enter a property.',
    'bad key': 'Use 1 to 128 characters, without line breaks or invisible characters.',
    unchecked: 'Choose whether this property is sensitive, or try again.',
    'not allowed': 'Your role can’t change sensitive values. Set this column to “Ignored”.',
    nothing: 'Import at least one column: choose what it becomes.',
  },
  next: '{count, plural, one {Check # row} other {Check # rows}}',
})

/** The check of rows before the import. */
export const importCheckText = defineMessages({
  reading: 'Reading rows…',
  counting: 'Counting users…',
  searching: 'Looking up existing users',
  walking: 'Reading all users to find existing ones',
  without: 'Skip this step',
  stop: 'Stop',
  failedTitle: 'Couldn’t look up existing users',
  failedBody: 'Users found so far are kept. Try again to continue, or skip this step.',
  title: 'What the import will do',
  nothingYet: 'Nothing has been imported yet.',
  hidden: 'Stored as hidden values: {properties}.',
  readable: 'Readable by everyone who can see users: {properties}.',
  /** Announced by screen readers. */
  counted: '{kind}: {count, number}',
  verdict: {
    create: 'New',
    match: 'Exists',
    older: 'Exists, later consent stays',
    unchecked: 'Not looked up',
    error: 'Error',
  },
  filter: 'Show',
  all: 'All rows',
  /** Option of the filter, with its number of rows. */
  choice: '{kind} ({count, number})',
  table: 'Rows of the file',
  row: 'Row',
  what: 'Result',
  who: 'Name',
  email: 'E-mail',
  ref: 'Ref',
  note: 'Note',
  matched: { id: 'Same id as {name}', email: 'Same e-mail as {name}', ref: 'Same ref as {name}' },
  matchedNameless: {
    id: 'Same id as a user without a name',
    email: 'Same e-mail as a user without a name',
    ref: 'Same ref as a user without a name',
  },
  /** Why a consent of the row is not stored. The parts are as in `consent`. */
  older: '{label} stays {stored}: the file’s {given} is earlier',
  consent: '{status} ({moment})',
  unknowable: 'No id, e-mail or ref: importing the file again would create another user.',
  noName: 'No name',
  noneShown: 'No rows of this kind',
  changeExisting: 'Update existing users',
  changeExistingHint: 'Existing users are updated from their row. Leave unticked to skip them.',
  download: '{count, plural, one {Download # row with errors} other {Download # rows with errors}}',
  next: {
    create: '{create, plural, one {Import # user} other {Import # users}}',
    change: '{change, plural, one {Update # user} other {Update # users}}',
    both: 'Import {create, number}, update {change, number}',
  },
  nothing: 'Nothing to import',
})
