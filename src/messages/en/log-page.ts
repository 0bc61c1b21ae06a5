import { defineMessages } from '../language/message.ts'

/** Texts that the event log and the audit log share: filter, conditions, export. */
export const logPageText = defineMessages({
  localZone: 'local',
  filter: {
    button: 'Filter',
    from: 'From ({zone})',
    to: 'Until ({zone})',
    presets: 'Time spans',
    lastHour: 'Last hour',
    lastDay: 'Last 24 hours',
    lastWeek: 'Last 7 days',
    last30Days: 'Last 30 days',
    lastMonth: 'Last month',
    reset: 'Clear all',
    badTime: 'Enter a full date and time, or leave the field empty.',
    badSpan: 'Enter an end after the start.',
    badUser: 'Choose a user from the list, or paste an id.',
    list: 'Filters',
    remove: 'Remove filter: {condition}',
    isFrom: 'From {time}',
    isTo: 'Until {time}',
  },
  export: {
    button: 'Export',
    separator: 'Separator',
    comma: 'Comma',
    semicolon: 'Semicolon',
    start: 'Export',
    download: 'Download again',
    failed: 'Couldn’t load the next page',
    failedBody: 'Rows already written are kept. Try again to continue.',
    fileFailed: 'Couldn’t write the file',
    fileFailedBody:
      'No file was saved. The disk may be full, or the folder may be gone. Close this dialog and export again.',
  },
})
