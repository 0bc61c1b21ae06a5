import { counted, number } from '../format.ts'

const rows = (count: number) => counted(count, { one: 'row', other: 'rows' })
const users = (count: number) => counted(count, { one: 'user', other: 'users' })
const columns = (count: number) => counted(count, { one: 'column', other: 'columns' })
const seconds = (count: number) => counted(count, { one: 'second', other: 'seconds' })

/** Texts that export and import share. A `label` is a property's key as people write it. */
export const transferText = {
  progress: ({ done, of }: { readonly done: number; readonly of: number | undefined }) =>
    of === undefined ? number(done) : `${number(done)} of ${number(of)}`,
  waiting: (count: number) => `The service asked for a pause. Continuing in ${seconds(count)}.`,
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
    inColumn: ({ column, problem }: { readonly column: string; readonly problem: string }) =>
      `${column}: ${problem}`,
    badSince: (cell: string) => `“${cell}” isn’t a date and time. Use one such as 2024-03-01 09:30:00.`,
    ragged: ({ cells, width }: { readonly cells: number; readonly width: number }) =>
      `This row has ${counted(cells, { one: 'cell', other: 'cells' })}, the first one has ${number(width)}. Check for a misplaced separator or quote.`,
    nothing: 'This row has nothing to import.',
    sameEmail: (row: number) => `Row ${number(row)} has the same e-mail.`,
    sameRef: (row: number) => `Row ${number(row)} has the same ref.`,
    sameUser: (row: number) => `Row ${number(row)} is the same user.`,
    twoMatches: 'The e-mail belongs to one user and the ref to another.',
    unknown:
      'No answer came. Without an e-mail or a ref, sending this row again could create a second user: look for the user first.',
    perhapsOurs:
      'No answer came at first. The user exists now, but this import may not have created them, so no properties were written.',
    noId: 'The user was created, but the service didn’t return their id, so no properties were written.',
    withoutProperties: (reason: string) => `The user was written, but not their properties. ${reason}`,
    refused: (status: number) => `The service refused this row (${status}).`,
    notSent: 'Not sent: the import was stopped.',
  },
}

/** Export of users. */
export const userExportText = {
  title: 'Export users',
  who: 'Users',
  search: ({ text, isFiltered }: { readonly text: string | undefined; readonly isFiltered: boolean }) =>
    text === undefined
      ? isFiltered
        ? 'The users who match the conditions of the list'
        : 'The list, in its order'
      : isFiltered
        ? `The users found by “${text}” who match the conditions of the list`
        : `The users found by “${text}”`,
  selected: (count: number) => `The ${users(count)} selected in the list`,
  list: 'A segment, or all users',
  searchGoneTitle: 'The search is gone',
  searchGoneBody:
    'A search may be personal, so the address doesn’t keep it and a reload loses it. Search again in the list and export from there, or choose a segment here.',
  toList: 'Go to list',
  size: (count: number) => `${users(count)} at the moment`,
  sizeAtLeast: (count: number) => `At least ${users(count)}`,
  format: 'Format',
  csv: 'CSV',
  csvHint: 'For spreadsheets, and to import here',
  jsonl: 'JSON Lines',
  jsonlHint: 'One user per line, as in the API, without the invitation link',
  separator: 'Separator',
  separators: { ',': 'Comma', ';': 'Semicolon' },
  separatorHint: 'Excel expects semicolons where the decimal sign is a comma',
  byteOrderMark: 'Mark the file as UTF-8, so that Excel shows letters such as é and ß',
  columns: 'Columns',
  noColumns: 'Choose at least one column.',
  properties: 'Properties of an entity',
  propertiesHint: 'Slower: reads each user’s data. One type of entity per file.',
  entity: 'Type of the entity',
  which: (entity: string) => `Users with several entities of type ${entity}`,
  matching: (entity: string) => `One row per matching ${entity}`,
  each: (entity: string) => `One row per ${entity}`,
  first: (entity: string) => `One row per user: their oldest ${entity}`,
  whichHint: 'Users without one get a row too. Column titles note your choice.',
  noMatching: 'This service doesn’t say which entities match.',
  entityInvalid: 'Enter a lower-case letter, then a-z, 0-9, _ and -.',
  keys: 'Keys',
  keysHint: 'One per line. This service has no list of known keys.',
  allKeys: 'All properties',
  keysFailed: 'Couldn’t load the known keys. Enter keys, one per line.',
  noKeys: (entity: string) => `No known properties for entities of type “${entity}”.`,
  noKeyChosen: 'Choose at least one property.',
  entities: 'With all entities and properties of each user',
  entitiesHint: 'Slower: reads each user’s data.',
  sensitive: 'Include sensitive values',
  sensitiveHint:
    'Otherwise their cells stay empty and the column titles say so. JSON Lines marks them as masked.',
  reason: 'Reason',
  reasonKept: 'Stored with your name in the event log, once for each entity that is read.',
  reasonNotKept: 'This service keeps no reasons, and doesn’t record who exports values. Keep your own note.',
  reasonMissing: 'Enter why you need the values.',
  formulas:
    'Cells that a spreadsheet would run as a formula (starting with = + - or @) get a leading apostrophe. Importing them here removes it.',
  start: 'Export users',
  startCount: (count: number) => `Export ${users(count)}`,
  running: 'Exporting users',
  runningTo: (file: string) => `Exporting to ${file}`,
  keepOpen: 'Keep this page open until the file is complete.',
  paused: 'Paused',
  failedTitle: 'Couldn’t read the next page',
  failedBody: (count: number) =>
    count === 0 ? 'Retry to continue.' : `${rows(count)} already written are kept. Retry to continue.`,
  refusedTitle: 'These users can’t be exported',
  fileFailedTitle: 'Couldn’t write the file',
  fileFailedBody: 'The disk may be full, or the folder may be gone. No file was saved. Export again.',
  cancelled: 'Export cancelled. No file was kept.',
  doneTitle: 'Export complete',
  done: (exported: Exported) =>
    exported.users === exported.rows
      ? `${rows(exported.rows)} in ${exported.file}.`
      : `${users(exported.users)} in ${rows(exported.rows)} in ${exported.file}.`,
  countDiffers: (count: number) =>
    `The service counted ${users(count)} at the end: users were created, deleted or changed during the export.`,
  withheld: (count: number) =>
    `${counted(count, { one: 'sensitive value was', other: 'sensitive values were' })} left out.`,
  download: 'Download again',
  again: 'New export',
}

/** Import of users. */
export const userImportText = {
  title: 'Import users',
  steps: ['File', 'Columns', 'Check', 'Import', 'Done'],
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
    header: 'The first row names the columns',
    found: (found: { readonly rows: number; readonly columns: number }) =>
      `${rows(found.rows)}, ${columns(found.columns)}`,
    guarded: (count: number) =>
      `${counted(count, { one: 'cell has', other: 'cells have' })} a leading apostrophe against formulas. It is removed.`,
    preview: 'First rows of the file',
    next: 'Next: columns',
    problem: {
      empty: ['The file is empty', 'Choose a file with a row for each user.'],
      large: ['The file is too large', 'A file may have up to 64 MB. Split it.'],
      workbook: [
        'This is a workbook, not a CSV file',
        'Save the sheet as “CSV UTF-8” in your spreadsheet, then choose that file.',
      ],
      binary: ['This is not a text file', 'Choose a CSV file: text, with a row for each user.'],
      encoding: [
        'The file isn’t UTF-8',
        'Spreadsheets on Windows often save Windows-1252. Read the file that way, and check that letters such as é and ß are right.',
      ],
      unreadable: ['Couldn’t read the file', 'It may have been moved or changed. Choose it again.'],
      rows: ['No rows below the header', 'The file has column names and nothing else.'],
    },
    asWindows: 'Read as Windows-1252',
    quotesTitle: (row: number) => `Unpaired quotes in row ${number(row)}`,
    quotesOpen:
      'A cell there opens a quote and doesn’t close it. Close the quote, or choose another separator.',
    quotesEarly:
      'A cell there has text after its closing quote. Write quotes inside a cell twice: "Ana ""the first"" Lopez".',
  },
  run: {
    title: 'Importing',
    keepOpen: 'Keep this page open until the import is done.',
    pausing: 'Finishing the current rows…',
    stop: 'Stop import',
    paused: 'Paused',
    pausedBody: 'Rows already written are kept. Continue to import the rest.',
    unreachable: 'The service can’t be reached',
    unreachableBody:
      'The import stopped. Rows already written are kept. Continue once the connection is back.',
    busy: 'The service is too busy',
    busyBody: 'The service asked for several pauses. Rows already written are kept. Continue later.',
    forbidden: 'Your role can’t continue this import',
    broken: 'The import stopped',
    brokenBody: 'Something went wrong. Rows already written are kept. Continue to import the rest.',
  },
  done: {
    title: 'Import complete',
    stoppedTitle: 'Import stopped',
    outcome: {
      created: 'Created',
      changed: 'Updated',
      left: 'Existed, unchanged',
      failed: 'Failed',
      unknown: 'Not confirmed',
      waiting: 'Not sent',
    },
    retry: (count: number) => `Retry ${counted(count, { one: 'failed row', other: 'failed rows' })}`,
    goOn: 'Import the rest',
    report: (count: number) =>
      count === 1
        ? 'Download the row that was not imported'
        : `Download ${rows(count)} that were not imported`,
    reportHint:
      'The columns of your file, and one with the reason. Fix the rows, then import that file again.',
    again: 'Import another file',
    list: 'Go to users',
  },
}

/** The columns of a file, in the import. */
export const importColumnsText = {
  table: 'Columns of the file',
  column: 'Column',
  samples: 'Values',
  target: 'Becomes',
  nameless: (position: number) => `Column ${number(position)}`,
  targetOf: (header: string) => `${header} becomes`,
  ignore: 'Ignored',
  fields: { name: 'Name', email: 'E-mail', ref: 'Ref', since: 'Since' },
  property: 'A property',
  key: 'Key',
  keyOf: (header: string) => `Key for ${header}`,
  type: 'Type',
  typeOf: (header: string) => `Type for ${header}`,
  sensitiveOf: (header: string) => `Sensitive, for ${header}`,
  numbersOf: (header: string) => `Numbers in ${header}`,
  numbersAs: ({ example, read }: { readonly example: string; readonly read: string }) =>
    `${example} is ${read}`,
  numbersOpen: 'Choose…',
  numbersMissing: 'These numbers can be read in two ways. Choose one, or their rows are left out.',
  empty: 'No values',
  hint: 'Properties go to the first entity of the type person. Empty cells change nothing.',
  unmatched:
    'No column is an e-mail or a ref: existing users can’t be recognised, so every row creates a user.',
  ignored: (count: number) => `${columns(count)} ignored.`,
  problem: {
    twice: 'Another column has the same target.',
    'no key': 'Enter a property.',
    'bad key': 'Use 1 to 128 characters, without line breaks or invisible characters.',
    unchecked: 'Choose whether it is sensitive, or try again.',
    'not allowed': 'Your role can’t write hidden values. Ignore the column.',
    nothing: 'Choose what at least one column becomes.',
  },
  next: (count: number) => `Check ${rows(count)}`,
}

/** The check of rows before the import. */
export const importCheckText = {
  reading: 'Reading rows…',
  counting: 'Counting users…',
  searching: 'Looking up existing users',
  walking: 'Reading all users to find existing ones',
  askTitle: 'Look up existing users?',
  ask: (count: number | undefined) =>
    count === undefined
      ? 'This service can’t search. To find existing users, all users have to be read once.'
      : `This service can’t search. To find existing users, all ${users(count)} have to be read once.`,
  askPages: (count: number) => `That takes ${counted(count, { one: 'request', other: 'requests' })}.`,
  askWithout:
    'You can safely skip this step: no second user is created for the same e-mail or ref. You see afterwards which users were new.',
  read: 'Read users',
  without: 'Skip this step',
  stop: 'Stop',
  failedTitle: 'Couldn’t look up existing users',
  failedBody: 'Users found so far are kept. Try again to continue, or skip this step.',
  title: 'What the import will do',
  nothingYet: 'Nothing has been written yet.',
  hidden: (labels: readonly string[]) => `Stored as hidden values: ${labels.join(', ')}.`,
  readable: (labels: readonly string[]) => `Readable by everyone who can see users: ${labels.join(', ')}.`,
  /** Said aloud. */
  counted: ({ kind, count }: { readonly kind: string; readonly count: number }) =>
    `${kind}: ${number(count)}`,
  verdict: { create: 'Create', match: 'Exists', unchecked: 'Not looked up', error: 'Error' },
  filter: 'Show',
  all: 'All rows',
  /** A choice of the filter, with its number of rows. */
  choice: ({ kind, count }: { readonly kind: string; readonly count: number }) =>
    `${kind} (${number(count)})`,
  table: 'Rows of the file',
  row: 'Row',
  what: 'Result',
  who: 'Name',
  email: 'E-mail',
  ref: 'Ref',
  note: 'Note',
  matched: ({ by, name = 'a user without a name' }: Match) =>
    by === 'email' ? `Same e-mail as ${name}` : `Same ref as ${name}`,
  unknowable: 'No e-mail or ref: importing the file again creates another user.',
  noName: 'No name',
  noneShown: 'No rows of this kind',
  changeExisting: 'Update existing users',
  changeExistingHint: 'Existing users are updated from their row. Leave unticked to skip them.',
  download: (count: number) => `Download ${rows(count)} with errors`,
  next: ({ create, change }: { readonly create: number; readonly change: number }) =>
    change === 0
      ? `Import ${users(create)}`
      : create === 0
        ? `Update ${users(change)}`
        : `Import ${number(create)}, update ${number(change)}`,
  nothing: 'Nothing to import',
}

interface Exported {
  readonly users: number
  readonly rows: number
  readonly file: string
}

interface Match {
  readonly by: 'email' | 'ref'
  readonly name: string | undefined
}
