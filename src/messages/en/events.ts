import type { EventType } from '#contract/index.ts'
import { counted, number } from '../format.ts'

const types: Record<EventType, string> = {
  USER_CREATED: 'User created',
  USER_UPDATED: 'User changed',
  USER_DELETED: 'User deleted',
  DIRECT_DATA_CHANGE: 'Data changed',
  SEGMENT_CREATED: 'Segment created',
  SEGMENT_UPDATED: 'Segment changed',
  SEGMENT_DELETED: 'Segment deleted',
  SENSITIVE_DATA_ACCESSED: 'Sensitive values read',
  SENSITIVE_DATA_CHECKED: 'Sensitive value checked',
  SENSITIVE_DATA_SEARCHED: 'Sensitive filter used',
  SUBSCRIPTION_CREATED: 'Webhook created',
  SUBSCRIPTION_UPDATED: 'Webhook changed',
  SUBSCRIPTION_DELETED: 'Webhook deleted',
  SUBSCRIPTION_SECRET_ROTATED: 'Webhook secret rotated',
  WEBHOOK_TEST: 'Webhook tested',
}

/** The name of an event type; those of another service have none and are shown as they come. */
export const eventTypeText = (code: string): string | undefined =>
  (types as Readonly<Record<string, string>>)[code]

export const eventText = {
  /** Names of event types and subjects. Those of another service are shown as they come. */
  type: eventTypeText,
  subjects: { user: 'User', entity: 'Entity', segment: 'Segment', subscription: 'Webhook' },
  delivered: 'Delivered',
  notDelivered: 'Not delivered',
  /** How an event stands with its webhooks. */
  states: {
    waiting: 'Waiting',
    /** A time follows. */
    nextTry: ', next try',
    whilePaused: ' for a paused webhook',
    failed: 'Failed',
    after: (tries: number) => ` after ${counted(tries, { one: 'try', other: 'tries' })}`,
    none: 'No webhook',
  },
  detail: {
    label: 'Event',
    close: 'Close',
    id: 'Id',
    time: 'Time',
    type: 'Type',
    delivery: 'Delivery',
    deliveredAt: 'Delivered at',
    properties: 'Properties',
    noProperties: 'None',
    changeset: 'Changeset',
    json: 'As JSON',
    copyJson: 'Copy JSON',
    copy: (name: string) => `Copy ${name}`,
  },
  changes: {
    title: 'What changed',
    gone: 'The service no longer keeps what changed here.',
    receipt: 'Who deleted the user, and when that is final',
    failed: 'What changed could not be read',
  },
  deliveries: {
    title: 'Webhooks',
    none: 'It was queued for no webhook.',
    failed: 'The deliveries could not be loaded',
    failedBody: 'What the event says of itself is above.',
    states: {
      waiting: 'Waiting',
      delivered: 'Delivered',
      failed: 'Failed: no further try is made by itself',
      unsent: 'Not sent',
    },
    sending: 'Being sent…',
    soon: 'Waiting, next try within a minute',
    /** A time follows. */
    next: 'Waiting, next try',
    held: 'Waiting until the webhook is resumed',
    resend: 'Resend',
    resendTo: (name: string) => `Resend to ${name}`,
    send: 'Send',
    sendTo: (name: string) => `Send to ${name}`,
    resendAll: 'Resend to all',
    paused: 'This webhook is not enabled, so nothing is sent to it. Resume it first.',
    queued: (count: number) =>
      count === 0
        ? 'No webhook is enabled for this event: nothing is sent.'
        : `The event is sent again to ${counted(count, { one: 'webhook', other: 'webhooks' })}.`,
    notQueued: 'The event was not sent again.',
    unknown: 'No answer came, so it is not known whether the event is sent again. The tries will show it.',
    recover: 'Recover what it has missed since then',
    tries: (name: string) => `Tries at ${name}, newest first`,
    try: (count: number) => `Try ${number(count)},`,
    allTries: (count: number) => `Show all ${number(count)} tries`,
  },
  charts: {
    label: 'Events over time',
    title: 'Over time',
    /** How long a time up to now is shown. */
    times: 'Time shown',
    presets: { day: '24 hours', week: '7 days', month: '30 days', year: '12 months' },
    counted: (count: number, span: string) => `${countedEvents(count)}, ${span}`,
    ofLoaded: (count: number, span: string) => `Of the ${countedEvents(count)} in the list alone, ${span}`,
    ofLoadedHint:
      'The service counts whole hours, by type and by delivery. What else the list is limited to it does not count.',
    failed: 'The events could not be counted',
    nothing: 'No events in this time.',
    asTable: 'As a table',
    table: 'Figures over time',
    tableCounted: 'Events counted by the service, by type and by how they stand by now with webhooks',
    tableLoaded: 'The events that are in the list',
    exactly: ({ from, to }: { readonly from: string; readonly to: string }) => `${from} – ${to}`,
    asTableHint: 'The same figures, as a table',
    byType: 'Events by type',
    byState: 'Events by delivery',
    lag: 'Delivery lag',
    half: 'Half within',
    most: '95% within',
    slowest: 'Slowest',
    noneDelivered: 'None of these events is delivered.',
    span: 'Time',
    all: 'Events',
    otherTypes: (count: number) => counted(count, { one: 'other type', other: 'other types' }),
    events: (count: number) => counted(count, { one: 'event', other: 'events' }),
    deliveredEvents: (count: number) => `${number(count)} delivered`,
    notDelivered: (count: number) => `${number(count)} not delivered`,
    line: (name: string, value: string) => `${name}: ${value}`,
    onlyType: (code: string) => `Show only ${code}`,
    onlyState: (name: string) => `Show only: ${name}`,
    onlySpan: 'Press to show only these. Drag over several, or use Shift and the arrow keys, then Enter.',
    /** Announces the bars that are being selected. */
    drawn: (span: string, count: number) => `${span}: ${countedEvents(count)}`,
    zoomOut: 'Zoom out',
    zoomOutHint: 'Back to the span of time before this one',
  },
  failure: {
    title: 'This event could not be loaded',
    missing: {
      title: 'There is no such event',
      body: 'The address is wrong, or it belongs to another service.',
    },
  },
}

const countedEvents = (count: number) => counted(count, { one: 'event', other: 'events' })

/** The list of events: what is loaded of the log, filters, the way to a time, export. */
export const eventLogText = {
  title: 'Events',
  /** Says under the title how many events are in the list. */
  scope: {
    loaded: (loaded: number, total: number | undefined) =>
      total === undefined
        ? `${countedEvents(loaded)} loaded`
        : `${number(loaded)} of ${countedEvents(total)} loaded`,
    matching: (rows: number) =>
      `${counted(rows, { one: 'matching event', other: 'matching events' })} loaded`,
    searched: (rows: number, searched: number, total: number | undefined, isNewest: boolean) => {
      const match = counted(rows, { one: 'event matches', other: 'events match' })
      const of =
        total === undefined ? countedEvents(searched) : `${number(searched)} of ${countedEvents(total)}`
      return `${match} among ${isNewest ? `the newest ${of}` : of}`
    },
    back: 'back to',
    from: 'from',
    to: 'to',
    idsOnly: 'Names and what was changed are shown to those who may read users.',
    explain: 'This service does not filter: what is loaded here is searched.',
  },
  columns: {
    time: (zone: string) => `Time (${zone})`,
    type: 'Type',
    subject: 'Subject',
    by: 'By',
    delivered: 'Delivery',
  },
  /** Describes in a row the person it is about and the one who acted. */
  about: {
    noName: 'No name',
    added: (type: string) => `new ${type}`,
    removed: (type: string) => `${type} deleted`,
    more: (count: number) => `and ${number(count)} more`,
    you: 'You',
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
    types: 'Type',
    delivery: 'Delivery',
    any: 'Any',
    delivered: 'Delivered',
    notDelivered: 'Not delivered',
    states: { delivered: 'Delivered', waiting: 'Waiting', failed: 'Failed', none: 'No webhook' },
    noWebhook: 'No webhook asked for it',
    user: 'User id',
    /** By name, where the service finds users. */
    anyUser: 'User',
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
    nobodyChosen: 'Choose somebody from the list, or paste an id.',
    list: 'Filters',
    remove: (condition: string) => `Remove the filter: ${condition}`,
    isType: (label: string) => `Type: ${label}`,
    isUser: (id: string) => `User ${id}`,
    /** The name keeps its own direction of writing. */
    isPerson: (name: string) => `User: \u2068${name}\u2069`,
    isEntity: (id: string) => `Entity ${id}`,
    isFrom: (time: string) => `From ${time}`,
    isTo: (time: string) => `Before ${time}`,
  },
  views: {
    button: 'Views',
    hint: 'Filters that you have kept in this browser',
    none: 'No filter is kept yet.',
    filterFirst: 'Filter the list to keep what it is limited to under a name.',
    name: 'Keep this filter as',
    save: 'Save',
    remove: (name: string) => `Delete the view ${name}`,
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
        ? `Searched ${countedEvents(searched)}`
        : `Searched ${number(searched)} of ${countedEvents(total)}`,
    progress: 'Searching older events',
    search: 'Search older events',
    stop: 'Stop',
    failed: 'Older events could not be read',
    newerFailed: 'Newer events could not be read',
    begin: 'This is where the log begins.',
    noMore: 'No older events match.',
    /** A time follows. */
    span: 'The filter begins here, at',
    beyond: 'Show older events too',
    full: (count: number) =>
      `${countedEvents(count)} are loaded, which is as many as this list holds. What is older opens as a list of its own.`,
    goOn: 'Go on from here',
  },
  failed: 'The events could not be loaded',
  empty: {
    title: 'Nothing has happened yet',
    body: 'Every change to a user, an entity or a segment is recorded here as an event.',
    filteredTitle: 'No events match',
    filteredBody: 'Nothing in the log fits all of these filters.',
    searchedTitle: (count: number) => `None of the ${countedEvents(count)} that were searched match`,
    searchedBody: 'Older ones have not been looked at.',
    clear: 'Clear filters',
  },
  export: {
    button: 'Export',
    title: 'Export events',
    all: 'All events that match the filters, from the newest to the oldest.',
    everything: 'All events of the log, from the newest to the oldest.',
    loaded: (count: number) =>
      `The ${countedEvents(count)} in the list. This service does not filter: load or search older events first to have more.`,
    format: 'Format',
    csv: 'CSV',
    csvHint: 'For spreadsheets: one row per event, with the ids it names',
    jsonl: 'JSON Lines',
    jsonlHint: 'One event per line, as the API has them',
    running: 'Exporting events',
    rows: (count: number, back: string | undefined) =>
      back === undefined ? countedEvents(count) : `${countedEvents(count)}, back to ${back}`,
    done: (count: number, file: string) => `${countedEvents(count)} in ${file}.`,
    cancelled: 'The export was cancelled. No file was kept.',
  },
}
