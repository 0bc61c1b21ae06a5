import { counted, number } from '../format.ts'

const rows = (count: number) => counted(count, { one: 'row', other: 'rows' })
const users = (count: number) => counted(count, { one: 'user', other: 'users' })
const columns = (count: number) => counted(count, { one: 'column', other: 'columns' })
const seconds = (count: number) => counted(count, { one: 'second', other: 'seconds' })

/** Export and import of users. */
export const transferText = {
  progress: (done: number, of: number | undefined) =>
    of === undefined ? number(done) : `${number(done)} of ${number(of)}`,
  waiting: (count: number) => `The service asked for a pause of ${seconds(count)}; it goes on by itself.`,
  pause: 'Pause',
  goOn: 'Continue',
  cancel: 'Cancel',
  back: 'Back',
  leave: {
    title: 'Stop and leave?',
    body: 'What is running on this page stops when you leave it.',
    stay: 'Stay',
    leave: 'Stop and leave',
  },
  leaveReport: {
    title: 'Leave without the report?',
    body: 'The rows that were not imported are kept on this page only. Download them first.',
    stay: 'Stay',
    leave: 'Leave without it',
  },
  export: {
    title: 'Export users',
    who: 'Who',
    search: (text: string | undefined, isFiltered: boolean) =>
      text === undefined
        ? isFiltered
          ? 'The users who match the conditions of the list'
          : 'The list, in its order'
        : `The users found by “${text}”${isFiltered ? ' who match the conditions of the list' : ''}`,
    selected: (count: number) =>
      `The ${counted(count, { one: 'user', other: 'users' })} selected in the list`,
    list: 'A segment, or all users',
    searchGoneTitle: 'The search is not known any more',
    searchGoneBody:
      'What was searched for is not kept in the address, since it may be personal, so a reload loses it. Search again in the list and export from there, or choose a segment here.',
    toList: 'Go to the list',
    size: (count: number) => `${users(count)} at the moment`,
    sizeAtLeast: (count: number) => `at least ${users(count)}`,
    format: 'Format',
    csv: 'CSV',
    csvHint: 'For spreadsheets, and for an import here',
    jsonl: 'JSON Lines',
    jsonlHint: 'One user per line, as the API has them, without the invitation link',
    separator: 'Separator',
    separators: { ',': 'Comma', ';': 'Semicolon' },
    separatorHint: 'Excel opens the semicolon where a comma is the decimal sign',
    byteOrderMark: 'Mark the file as UTF-8, so that Excel shows every letter',
    columns: 'Columns',
    noColumns: 'Choose at least one column.',
    properties: 'Properties of an entity',
    propertiesHint: 'Of the entities of one type. It takes longer: each user is asked for.',
    entity: 'Type of the entity',
    which: (entity: string) => `Where a user has more than one ${entity}`,
    matching: (entity: string) => `Only what is asked for: a row for each matching ${entity}`,
    each: (entity: string) => `All of them: a row for each ${entity}`,
    first: (entity: string) => `Only the oldest ${entity}: one row for each user`,
    whichHint: 'A user without one has a row too. The head of each column says which was chosen.',
    noMatching: 'This service does not say which of them are asked for.',
    entityInvalid: 'Write a type as a lower-case letter, then a-z, 0-9, _ and -.',
    keys: 'Keys',
    keysHint: 'One per line. The service has no list of the keys that it knows.',
    allKeys: 'All of them',
    keysFailed: 'The known keys could not be loaded: write them, one per line.',
    noKeys: (entity: string) => `No property of an entity of the type “${entity}” is known.`,
    noKeyChosen: 'Choose at least one key.',
    entities: 'With all entities and properties of each user',
    entitiesHint: 'It takes longer: each user is asked for.',
    sensitive: 'Include sensitive values',
    sensitiveHint:
      'Left out otherwise: their cells are empty, and the header says so. In JSON Lines they are marked as masked.',
    reason: 'Why they are needed',
    reasonKept: 'Kept in the event log with your name, once for each entity that is read',
    reasonNotKept:
      'This service does not keep the reason, nor who took which value. Keep a note of it yourself.',
    reasonMissing: 'Say why the values are needed.',
    formulas:
      'A cell that a spreadsheet would run as a formula (it begins with = + - or @) gets an apostrophe in front. An import here takes it off again.',
    start: 'Export',
    startCount: (count: number) => `Export ${users(count)}`,
    running: 'Exporting users',
    runningTo: (file: string) => `Into ${file}`,
    keepOpen: 'Keep this page open until the file is complete.',
    paused: 'Paused',
    failedTitle: 'The next page could not be read',
    failedBody: (count: number) =>
      `What is in the file stays (${rows(count)}). Try again to go on behind it.`,
    refusedTitle: 'This cannot be exported',
    fileFailedTitle: 'The file could not be written',
    fileFailedBody: 'The disk may be full, or the place may be gone. Nothing was kept: begin again.',
    cancelled: 'The export was cancelled. No file was kept.',
    doneTitle: 'The file is complete',
    done: (userCount: number, rowCount: number, file: string) =>
      `${userCount === rowCount ? '' : `${users(userCount)} in `}${rows(rowCount)} in ${file}.`,
    saidSame: (count: number) => `The service said ${users(count)}.`,
    saidOther: (count: number) =>
      `The service said ${users(count)} at the end: users were created, deleted or changed meanwhile.`,
    withheld: (count: number) =>
      `${counted(count, { one: 'sensitive value was', other: 'sensitive values were' })} left out.`,
    download: 'Download again',
    again: 'Export something else',
  },

  import: {
    title: 'Import users',
    steps: ['File', 'Columns', 'Check', 'Import', 'Done'],
    stepsLabel: 'Steps',
    /** Name of the file with the rows that were not imported. */
    reportName: 'users-not-imported',
    file: {
      drop: 'Drop a CSV file here',
      or: 'or',
      choose: 'Choose a file',
      paste: 'Or paste rows, for example from a spreadsheet',
      read: 'Read what was pasted',
      pasted: 'Pasted rows',
      other: 'Another file',
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
      found: (rowCount: number, columnCount: number) => `${rows(rowCount)}, ${columns(columnCount)}`,
      guarded: (count: number) =>
        `In ${counted(count, { one: 'cell', other: 'cells' })} the apostrophe that keeps a spreadsheet from running it is taken off.`,
      preview: 'First rows of the file',
      next: 'Continue with the columns',
      problem: {
        empty: ['The file is empty', 'Choose a file with a row for each user.'],
        large: ['The file is too large', 'At most 64 MB can be read at once: split the file.'],
        workbook: [
          'This is a workbook, not a CSV file',
          'Save the sheet as “CSV UTF-8” in the spreadsheet, then choose that file.',
        ],
        binary: ['This is not a text file', 'Choose a CSV file: text, with a row for each user.'],
        encoding: [
          'The file is not UTF-8',
          'Spreadsheets on Windows often save Windows-1252. Read it so, and look whether letters such as é and ß are right.',
        ],
        unreadable: ['The file could not be read', 'It may have been moved or changed. Choose it again.'],
        rows: ['There are no rows under the header', 'The file has a row of names and nothing else.'],
      },
      asWindows: 'Read it as Windows-1252',
      quotesTitle: (row: number) => `The quotes in row ${number(row)} do not come in pairs`,
      quotesOpen:
        'A cell there begins with a quote that is not closed. Close it, or choose another separator if this one is wrong.',
      quotesEarly:
        'A cell there begins with a quote, and something stands behind the closing one. Quotes inside a cell are written twice: "Ana ""the first"" Lopez".',
    },
    columns: {
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
      numbersAs: (example: string, read: string) => `${example} is ${read}`,
      numbersOpen: 'Choose…',
      numbersMissing: 'These numbers can be read in two ways. Choose one, or their rows are left out.',
      empty: 'No values',
      hint: 'Properties go to the first entity of the type person. Empty cells are not sent.',
      unmatched:
        'No column is an e-mail or a ref: users who are there already cannot be recognised, and every row makes a new user.',
      ignored: (count: number) => `${columns(count)} ignored`,
      problem: {
        twice: 'Another column becomes this too.',
        'no key': 'Give the property a key.',
        'bad key': 'A key has 1 to 128 characters, without line breaks or invisible characters.',
        unchecked: 'Say whether it is sensitive, or try again.',
        'not allowed': 'Your role can’t write hidden values. Ignore the column.',
        nothing: 'Say for at least one column what it becomes.',
      },
      next: (count: number) => `Check ${rows(count)}`,
    },
    check: {
      reading: 'Checking the rows…',
      counting: 'Counting users…',
      searching: 'Looking up who is there already',
      walking: 'Reading the users to see who is there already',
      askTitle: 'Which of these users are there already?',
      ask: (count: number | undefined) =>
        count === undefined
          ? 'This service has no search. To say who is there already, all users have to be read once.'
          : `This service has no search. To say who is there already, all ${users(count)} have to be read once.`,
      askPages: (count: number) => `That takes ${counted(count, { one: 'request', other: 'requests' })}.`,
      askWithout:
        'Going on without is safe: a user with the same e-mail or ref is not made a second time. You see afterwards which were new.',
      read: 'Read the users',
      without: 'Go on without',
      stop: 'Stop looking',
      failedTitle: 'Who is there already could not be found out',
      failedBody: 'What was found so far is kept. Try again to go on, or go on without.',
      title: 'What the import would do',
      nothingYet: 'Nothing has been written yet.',
      hidden: (properties: readonly string[]) => `Stored as hidden values: ${properties.join(', ')}.`,
      readable: (properties: readonly string[]) =>
        `Readable by everyone who can see users: ${properties.join(', ')}.`,
      /** Said aloud. */
      counted: (kind: string, count: number) => `${kind}: ${number(count)}`,
      verdict: { create: 'Create', match: 'Exists', unchecked: 'Not looked up', error: 'Error' },
      filter: 'Show',
      all: 'All rows',
      table: 'Rows of the file',
      row: 'Row',
      what: 'What happens',
      who: 'Name',
      email: 'E-mail',
      ref: 'Ref',
      note: 'Note',
      by: (by: 'email' | 'ref', name: string | undefined) =>
        `Same ${by === 'email' ? 'e-mail' : 'ref'} as ${name ?? 'a user without a name'}`,
      unknowable: 'Without e-mail and ref: a second import makes this user again.',
      noName: 'No name',
      noneShown: 'No rows of this kind',
      changeExisting: 'Also change users who exist',
      changeExistingHint: 'They get the fields and properties of their row. Left off, they stay as they are.',
      download: (count: number) => `Download ${rows(count)} with errors`,
      next: (create: number, change: number) =>
        change === 0
          ? `Import ${users(create)}`
          : create === 0
            ? `Change ${users(change)}`
            : `Import ${number(create)}, change ${number(change)}`,
      nothing: 'There is nothing to import',
    },
    run: {
      title: 'Importing',
      keepOpen: 'Keep this page open until it is done.',
      pausing: 'Finishing what is under way…',
      stop: 'Stop here',
      paused: 'Paused',
      pausedBody: 'What was written stays. Continue to go on with the rest.',
      unreachable: 'The service cannot be reached',
      unreachableBody: 'The import stopped. What was written stays; continue when the connection is back.',
      busy: 'The service stays busy',
      busyBody: 'It asked for pauses again and again. What was written stays; continue later.',
      forbidden: 'The service does not allow it',
      broken: 'The import stopped',
      brokenBody: 'Something unexpected happened. What was written stays; continue to go on with the rest.',
    },
    done: {
      title: 'The import is done',
      stoppedTitle: 'The import was stopped',
      outcome: {
        created: 'Created',
        changed: 'Changed',
        left: 'Existed, unchanged',
        failed: 'Failed',
        unknown: 'Not known',
        waiting: 'Not sent',
      },
      retry: (count: number) => `Send ${counted(count, { one: 'failed row', other: 'failed rows' })} again`,
      goOn: 'Continue with the rest',
      report: (count: number) =>
        count === 1
          ? 'Download the row that was not imported'
          : `Download ${rows(count)} that were not imported`,
      reportHint: 'The columns of your file and one with the reason. Put right, it can be imported again.',
      again: 'Import another file',
      list: 'Go to the users',
    },
  },

  /** Problems of a row, for the screen and for the report. */
  problems: {
    badSince: 'Write a date and time that exist, such as 2024-03-01 09:30:00.',
    ragged: (cells: number, width: number) =>
      `This row has ${counted(cells, { one: 'cell', other: 'cells' })}, the first one has ${number(width)}: a separator or a quote is out of place.`,
    nothing: 'There is nothing to import in this row.',
    sameEmail: (row: number) => `Row ${number(row)} has the same e-mail.`,
    sameRef: (row: number) => `Row ${number(row)} has the same ref.`,
    sameUser: (row: number) => `Row ${number(row)} is the same user.`,
    twoMatches: 'The e-mail belongs to one user and the ref to another.',
    unknown:
      'No answer came. Without an e-mail or a ref, sending it again might make a second user: look first.',
    perhapsOurs:
      'No answer came at first. The user is there now, but whether this import made them is not known; no properties were written.',
    noId: 'The user was created, but the service did not say which one it is: the properties were not written.',
    withoutProperties: 'The user was written, their properties were not. ',
    refused: (status: number) => `The service refused it (${status}).`,
    notSent: 'Not sent: the import was stopped.',
  },
}
