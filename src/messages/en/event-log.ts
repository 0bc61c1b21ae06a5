import { counted, number } from '../format.ts'

const events = (count: number) => counted(count, { one: 'event', other: 'events' })

/** The list of events: what is loaded of the log, filters, the way to a time, export. */
export const eventLog = {
  title: 'Events',
  /** What is in the list, said under the title. */
  scope: {
    loaded: (loaded: number, total: number | undefined) =>
      total === undefined ? `${events(loaded)} loaded` : `${number(loaded)} of ${events(total)} loaded`,
    matching: (rows: number) =>
      `${counted(rows, { one: 'matching event', other: 'matching events' })} loaded`,
    searched: (rows: number, searched: number, total: number | undefined, isNewest: boolean) => {
      const match = counted(rows, { one: 'event matches', other: 'events match' })
      const of = total === undefined ? events(searched) : `${number(searched)} of ${events(total)}`
      return `${match} among ${isNewest ? `the newest ${of}` : of}`
    },
    back: 'back to',
    from: 'from',
    to: 'to',
    explain: 'This service does not filter: what is loaded here is searched.',
  },
  columns: {
    time: (zone: string) => `Time (${zone})`,
    type: 'Type',
    subject: 'Subject',
    delivered: 'Delivery',
  },
  localZone: 'local',
  live: {
    on: 'Live',
    onHint: 'New events come in by themselves. Press to pause.',
    paused: (waiting: number) => (waiting === 0 ? 'Paused' : `Paused, ${number(waiting)} new`),
    pausedHint: 'New events are held back. Press to show them.',
    failing: 'Reconnecting',
    failingHint: 'New events could not be read. It is tried again by itself; what is shown stays.',
    newest: 'Newest events',
    newestHint: 'There are newer events than those in the list',
  },
  above: (count: number) => counted(count, { one: 'new event', other: 'new events' }),
  filter: {
    button: 'Filter',
    title: 'Filter events',
    types: 'Type',
    delivery: 'Delivery',
    any: 'Any',
    delivered: 'Delivered',
    notDelivered: 'Not delivered',
    user: 'User id',
    entity: 'Entity id',
    from: (zone: string) => `From (${zone})`,
    to: (zone: string) => `Before (${zone})`,
    presets: 'Spans of time',
    lastHour: 'Last hour',
    lastDay: 'Last 24 hours',
    lastWeek: 'Last 7 days',
    apply: 'Show events',
    reset: 'Clear all',
    badTime: 'Give the whole date and time, or clear it.',
    badSpan: 'Give an end that is after the beginning.',
    badId: 'Give one id, without spaces.',
    list: 'Filters',
    remove: (condition: string) => `Remove the filter: ${condition}`,
    isType: (label: string) => `Type: ${label}`,
    isUser: (id: string) => `User ${id}`,
    isEntity: (id: string) => `Entity ${id}`,
    isFrom: (time: string) => `From ${time}`,
    isTo: (time: string) => `Before ${time}`,
  },
  jump: {
    button: 'Jump to time',
    label: (zone: string) => `Date and time (${zone})`,
    go: 'Jump',
    presets: 'Moments',
    hourAgo: '1 hour ago',
    dayAgo: '24 hours ago',
    weekAgo: '7 days ago',
    monthAgo: '30 days ago',
    missing: 'Give a date and time.',
    around: (time: string) => `Around ${time}`,
  },
  older: {
    loading: 'Loading older events',
    searching: (searched: number, total: number | undefined) =>
      total === undefined
        ? `Searched ${events(searched)}`
        : `Searched ${number(searched)} of ${events(total)}`,
    progress: 'Searching older events',
    search: 'Search older events',
    stop: 'Stop',
    failed: 'Older events could not be read',
    newerFailed: 'Newer events could not be read',
    begin: 'This is where the log begins.',
    noMore: 'No older events match.',
    full: (count: number) =>
      `${events(count)} are loaded, which is as many as this list holds. What is older opens as a list of its own.`,
    goOn: 'Go on from here',
  },
  failed: 'The events could not be loaded',
  empty: {
    title: 'Nothing has happened yet',
    body: 'Every change to a user, an entity or a segment is recorded here as an event.',
    filteredTitle: 'No events match',
    filteredBody: 'Nothing in the log fits all of these filters.',
    searchedTitle: (count: number) => `None of the ${events(count)} that were searched match`,
    searchedBody: 'Older ones have not been looked at.',
    clear: 'Clear filters',
  },
  export: {
    button: 'Export',
    title: 'Export events',
    all: 'All events that match the filters, from the newest to the oldest.',
    everything: 'All events of the log, from the newest to the oldest.',
    loaded: (count: number) =>
      `The ${events(count)} in the list. This service does not filter: load or search older events first to have more.`,
    format: 'Format',
    csv: 'CSV',
    csvHint: 'For spreadsheets: one row per event, with the ids it names',
    jsonl: 'JSON Lines',
    jsonlHint: 'One event per line, as the API has them',
    separator: 'Separator',
    comma: 'Comma',
    semicolon: 'Semicolon',
    start: 'Export',
    running: 'Exporting events',
    rows: (count: number, back: string | undefined) =>
      back === undefined ? events(count) : `${events(count)}, back to ${back}`,
    done: (count: number, file: string) => `${events(count)} in ${file}.`,
    download: 'Download again',
    cancelled: 'The export was cancelled. No file was kept.',
    failed: 'The next page could not be read',
    failedBody: 'What is in the file stays. Try again to go on behind it.',
    fileFailed: 'The file could not be written',
    fileFailedBody: 'The disk may be full, or the place may be gone. Nothing was kept: begin again.',
  },
}
