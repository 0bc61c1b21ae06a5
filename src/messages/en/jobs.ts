import { defineMessages } from '../language/message.ts'

/** Texts of jobs: of all kinds, and below `other` and `set` those of each kind. */
export const jobsText = defineMessages({
  title: 'Jobs',
  none: 'No jobs yet',
  noneBody:
    'Select users in the list, or open a segment, and start an export or a bulk change. You can follow it here, and undo a bulk change for 30 days.',
  toList: 'Go to the list of users',
  columns: { what: 'Job', state: 'State', result: 'Result', by: 'Started by', time: 'Started' },
  you: 'You',
  reason: 'Reason',
  progress: 'Progress',
  /** Progress of an open or stopped job. */
  done: '{done, number} of {total, number}',
  /** Follows the progress, once the speed is known. */
  pace: {
    second: '{count, plural, other {# a second}}',
    minute: '{count, plural, other {# a minute}}',
    soon: 'less than a minute left',
    minutes: '{count, plural, one {about # minute left} other {about # minutes left}}',
    hours: '{count, plural, one {about # hour left} other {about # hours left}}',
  },
  /** Names of the kinds of jobs. One of a later release is shown as sent. */
  kinds: { set: 'Bulk change', import: 'Import', export: 'Export', delete: 'Deletion' },
  /** Leads to the events of each change that a job made. */
  changes: 'Each change',
  changesInLog: 'Show each change in the event log',
  /** Texts of the control in the header while jobs of this person run, and of the message when one has ended. */
  running: {
    one: '{kind}: {share, number, percent}',
    several: '{count, plural, one {# job running} other {# jobs running}}',
    /** Visible part of `one`. */
    share: '{share, number, percent}',
    ended: '{kind}: {state}',
    endedWith: '{kind}: {state}. {result}.',
    show: 'Show',
  },
  stop: 'Stop',
  goOn: 'Continue',
  goesOn: 'You can leave this page. The work continues in the background.',
  states: {
    ready: 'Not checked yet',
    waiting: 'Queued',
    running: 'Running',
    checking: 'Checking',
    checked: 'Checked, nothing changed yet',
    stopped: 'Stopped',
    finished: 'Finished',
    failed: 'Failed',
    undoing: 'Undoing',
    undone: 'Undone',
  },
  /** States of a job that was checked, where its result is beside them. */
  checked: { set: 'Previewed', other: 'Checked' },
  failures: {
    notStopped: 'Couldn’t stop the job',
    notResumed: 'Couldn’t continue the job',
    notApplied: 'Couldn’t start the job',
    lost: {
      title: 'Your last action may have gone through',
      body: 'The service didn’t answer. This page shows the current state. You can safely press the button again.',
    },
    report: 'Couldn’t load the results',
  },
  /** Announced by screen readers. */
  counted: '{outcome}: {count, number}',
  /** Texts of a kind that this console doesn’t know. */
  other: {
    working: 'Running',
    checking: 'Checking',
    checkStopped: 'Stopped',
    checkStoppedBody: 'Nothing was changed.',
    changeStopped: 'Stopped after {done, number} of {total, number}',
    changeStoppedBody: 'What was done so far stays done.',
    undoStopped: 'What was undone so far stays undone.',
    failed: 'The job couldn’t continue',
    failedBody:
      'What was done so far stays done. Ask an administrator to look at the service’s settings, then continue.',
    theirs: {
      check: 'Only {actor}, who started this job, can continue it.',
      other: 'Only {actor}, who started this job, can continue it.',
    },
  },
  /** Texts of a deletion. */
  delete: {
    what: '{count, plural, one {# user} other {# users}}',
    working: 'Deleting',
    users: 'Users',
    reference: 'Reference',
    result: '{count, plural, one {# user deleted} other {# users deleted}}',
    outcomes: {
      waiting: 'Not deleted yet',
      deleted: 'Deleted',
      refused: 'Not deleted',
      not_found: 'Already gone',
    },
    stopped:
      '{total, plural, one {Stopped after {done, number} of # user} other {Stopped after {done, number} of # users}}',
    stoppedBody: 'Deleted users stay deleted. The others are unchanged.',
    failed: 'The deletion couldn’t continue',
    failedBody:
      'The service’s settings lack an encryption key. Deleted users stay deleted. Ask an administrator to add the key, then continue.',
    theirs: 'Only {actor}, who started this deletion, can continue it.',
    refused: 'Users who weren’t deleted',
    user: 'User',
    why: 'Reason',
    forbidden: 'Your role can’t delete users who have sensitive values.',
    more: 'Show more',
  },
  /** Texts of an export. */
  export: {
    what: 'Users as {format}',
    formats: { csv: 'CSV', xlsx: 'Excel workbook', ndjson: 'JSON Lines' },
    working: 'Exporting',
    result: '{count, plural, one {# user exported} other {# users exported}}',
    exported: 'Exported',
    users: 'Users',
    columns: 'Columns',
    rows: 'Rows',
    sensitive: 'Sensitive values',
    sensitiveForms: { open: 'Included', masked: 'Left out' },
    withheld: '{count, plural, one {# left out} other {# left out}}',
    shortened: 'Shortened texts',
    stopped:
      '{total, plural, one {Stopped after {done, number} of # user} other {Stopped after {done, number} of # users}}',
    stoppedBody: 'There is no file yet. Continue to complete it.',
    failed: 'The export couldn’t continue',
    failedBody:
      'Its segment may be gone, your access may have changed, the workbook may be too large, or the service’s settings lack an encryption key. Export again.',
    theirs: 'Only {actor}, who started this export, can continue it.',
    file: 'File',
    download: 'Download',
    notDownloaded: 'Couldn’t download the file',
    until:
      'Available until {time}. Each download is recorded. The file is deleted earlier if someone in it is deleted.',
    notMine: 'Only {actor}, who started this export, can download the file.',
    gone: {
      expired: 'The file was kept for 24 hours and is gone. Export again.',
      erased: 'Someone in this file was deleted, so the file is gone. Export again.',
      replaced: 'You started newer exports, and only the newest files are kept. Export again.',
      other: 'The file is gone. Export again.',
    },
  },
  /** Texts of an import. */
  import: {
    what: '{count, plural, one {Import of # row} other {Import of # rows}}',
    working: 'Importing',
    checking: 'Checking rows',
    states: { running: 'Importing', checked: 'Checked, nothing imported yet' },
    result: {
      changed: '{count, plural, one {# user imported} other {# users imported}}',
      would: '{count, plural, one {# user to import} other {# users to import}}',
      unchanged: '{count, plural, one {# user unchanged} other {# users unchanged}}',
      restored: '{count, plural, one {# user restored} other {# users restored}}',
    },
    toColumns: 'Choose columns',
    backToColumns: 'Back to columns',
    theirs: {
      check: 'Only {actor}, who started this import, can carry it out.',
      other: 'Only {actor}, who started this import, can continue it.',
    },
    checkStopped: 'Check stopped',
    checkStoppedBody: 'Nothing has been imported. Continue to check all rows.',
    changeStopped:
      '{total, plural, one {Stopped after {done, number} of # row} other {Stopped after {done, number} of # rows}}',
    changeStoppedBody: 'Rows imported so far stay imported.',
    undoStopped: 'Users restored so far stay restored. Continue to restore the others.',
    failed: 'The import couldn’t continue',
    failedBody:
      'The rows of the file are no longer kept, or the service’s settings lack an encryption key. Rows imported so far stay imported.',
    apply: {
      action:
        '{created, plural, =0 {{changed, plural, one {Update # user} other {Update # users}}} one {Create # user{changed, plural, =0 {} other {, update #}}} other {Create # users{changed, plural, =0 {} other {, update #}}}}',
      hint: 'If a colleague edits one of these users first, their row is left out and listed.',
      nothing: 'Nothing to import.',
    },
    undo: {
      button: 'Undo import…',
      hint: 'Possible for 30 days after the start.',
      title: 'Undo this import?',
      body: 'Changed values are restored, and users that it created are deleted. What someone else has changed since stays and is listed.',
      action: '{count, plural, one {Undo # row} other {Undo # rows}}',
      failed: 'Couldn’t undo the import',
    },
    fields: {
      id: 'Id',
      name: 'Name',
      email: 'E-mail',
      ref: 'Ref',
      since: 'Since',
    },
    inClear: {
      preview: 'This import would make {property} readable',
      change: 'This import makes {property} readable',
    },
    inClearBody:
      '{property} {count, plural, one {is} other {are}} marked as sensitive for other users. Where this import adds {count, plural, one {it} other {them}}, everyone who can see users can read {count, plural, one {it and find it} other {them and find them}} by search.',
    effects: { preview: 'What changes', change: 'What changed' },
    /** Parts of a line, joined by commas: “Phone: 12 new, 3 changed”. */
    effect: {
      created: '{count, number} new',
      changed: '{count, number} changed',
      cleared: '{count, number} cleared',
      older: '{count, plural, one {# later consent stays} other {# later consents stay}}',
    },
    leftOut: 'What’s left out',
    download:
      '{count, plural, one {Download the row that’s left out} other {Download the # rows that are left out}}',
    notDownloaded: 'Couldn’t download the rows',
    /** Name of the file. */
    leftOutName: 'users-left-out-{day}.csv',
    cause: '{count, number} × {detail}',
    causeIn: '{header}: {count, number} × {detail}',
    cell: '{count, plural, one {“{cell}”} other {“{cell}” (# times)}}',
    /** Results that a check predicts. */
    would: {
      waiting: 'Not checked yet',
      created: 'New',
      added: 'Will change',
      changed: 'Will change',
      unchanged: 'Unchanged',
      skipped: 'Exists, skipped',
      refused: 'Left out',
      ambiguous: 'Several users match',
      conflict: 'Changed since the check',
    },
    /** Results of an import. */
    did: {
      waiting: 'Not imported yet',
      created: 'Created',
      added: 'Changed',
      changed: 'Changed',
      unchanged: 'Unchanged',
      skipped: 'Existed, skipped',
      refused: 'Left out',
      ambiguous: 'Several users match',
      conflict: 'Changed since the check',
    },
    /** Results of an undo. */
    undone: {
      waiting: 'Not undone yet',
      undone: 'Restored',
      conflict: 'Changed since, left as it is',
      refused: 'Not undone',
      not_found: 'User deleted',
    },
    rows: {
      label: 'Rows of the file',
      filter: 'Show',
      all: 'All rows',
      /** Option of the filter by result. */
      option: '{outcome} ({count, number})',
      row: 'Row',
      what: 'Result',
      user: 'User',
      changes: 'Changes',
      by: { id: 'by id', email: 'by e-mail', ref: 'by ref' },
      noName: 'No name',
      deleted: 'Deleted user',
      /** Why a cell is left out, after what is in it. */
      problem: '“{cell}”: {detail}',
      /** Name of a property, before its values. */
      labelBefore: '{property}:',
      becomes: '→',
      none: 'No rows',
      /** Above the rows of a check, of which some are no longer as it has found them. */
      stale: {
        title: 'Some users have changed since the check',
        body: 'Their rows would be left out. To include them, go back to the columns and check again.',
      },
      more: 'Show more',
    },
  },
  /** Texts of a bulk change. */
  set: {
    what: '{property} ({entity})',
    working: 'Changing',
    checking: 'Previewing',
    states: {
      running: 'Changing',
      checking: 'Previewing',
      checked: 'Preview ready, nothing changed yet',
    },
    result: {
      changed: '{count, plural, one {# user changed} other {# users changed}}',
      would: '{count, plural, one {# user would change} other {# users would change}}',
      unchanged: '{count, plural, one {# user unchanged} other {# users unchanged}}',
      restored: '{count, plural, one {# user restored} other {# users restored}}',
    },
    value: 'New value',
    users: 'Users',
    segment: 'All users in “{segment}”',
    members: 'Users in a segment',
    inClear: {
      preview: 'This change would make {property} readable',
      change: 'This change makes {property} readable',
    },
    inClearBody:
      '{property} is marked as sensitive for other users. Where this change adds it, everyone who can see users can read it and find it by search.',
    /** Shown in place of the buttons to everyone but the person who started the job. */
    theirs: {
      check: 'Only {actor}, who started this preview, can make the change.',
      other: 'Only {actor}, who started this bulk change, can continue it.',
    },
    checkStopped: 'Preview stopped',
    checkStoppedBody: 'Nothing was changed. Continue to preview all users.',
    changeStopped:
      '{total, plural, one {Stopped after {done, number} of # user} other {Stopped after {done, number} of # users}}',
    changeStoppedBody: 'Users changed so far stay changed. The others are unchanged.',
    undoStopped: 'Users restored so far stay restored. Continue to restore the others.',
    failed: 'The bulk change couldn’t continue',
    failedBody:
      'The service’s settings lack an encryption key. Users changed so far stay changed. Ask an administrator to add the key, then continue.',
    apply: {
      action: '{count, plural, one {Change # user} other {Change # users}}',
      hint: 'If a colleague changes a value first, that user is skipped and listed.',
      nothing: 'Nothing to change.',
    },
    undo: {
      button: 'Undo bulk change…',
      hint: 'Possible for 30 days after the start.',
      title: 'Undo this bulk change?',
      body: 'Changed values are restored, and entities that it created are removed. What someone else has changed since stays and is listed.',
      action: '{count, plural, one {Restore # user} other {Restore # users}}',
      failed: 'Couldn’t undo the bulk change',
    },
    report: {
      label: 'Results by user',
      filter: 'Show',
      all: 'All',
      user: 'User',
      what: 'Result',
      change: 'Before → after',
      changed: 'Before → now',
      note: 'Note',
      none: 'No users',
      noName: 'No name',
      /** Option of the filter by result. */
      option: '{outcome} ({count, number})',
      wasNot: 'not set',
      hidden: 'Hidden',
      /** Stands for a value that named a deleted user. */
      erased: 'Removed: named a deleted user',
      /** Result for a user without an entity of the type, whose label begins with a capital letter. */
      noEntity: 'No {type} entity',
      more: 'Show more',
      download: 'Download results',
      notDownloaded: 'Couldn’t download the results',
      fileName: 'report-{entity}-{day}.csv',
      columns: {
        id: 'id',
        name: 'name',
        entity: 'entity',
        outcome: 'outcome',
        before: 'before',
        after: 'after',
        note: 'note',
      },
      /** Results that a preview predicts. */
      would: {
        waiting: 'Not previewed yet',
        created: 'Gets a new entity',
        added: 'Gets the property',
        changed: 'Will be changed',
        unchanged: 'Already has this value',
        refused: 'Can’t be changed',
        conflict: 'Changed since the preview',
        ambiguous: 'Has several entities',
        not_found: 'No such user',
      },
      /** Results of a change that was made. */
      did: {
        waiting: 'Not changed yet',
        created: 'Got a new entity',
        added: 'Got the property',
        changed: 'Changed',
        unchanged: 'Already had this value',
        refused: 'Not changed',
        conflict: 'Changed since the preview',
        ambiguous: 'Has several entities',
        not_found: 'No such user',
      },
      /** Results of an undo. */
      undone: {
        waiting: 'Not undone yet',
        undone: 'Restored',
        conflict: 'Changed since, left as it is',
        refused: 'Not restored',
        not_found: 'User deleted',
      },
      notes: {
        undoConflict: 'Someone changed this after the bulk change, so it wasn’t restored.',
        conflict: 'Someone changed the value after the preview, so this user was skipped.',
        ambiguous: 'The user has several entities of this type, so none was changed.',
        forbidden: 'Your role can’t change sensitive values.',
      },
    },
  },
})
