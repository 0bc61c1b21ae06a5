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

/** Name of an event type. Types of another service have none and are shown as they come. */
export const eventTypeText = (code: string): string | undefined =>
  (types as Readonly<Record<string, string>>)[code]

const countedEvents = (count: number) => counted(count, { one: 'event', other: 'events' })
const attempts = (count: number) => counted(count, { one: 'attempt', other: 'attempts' })

export const eventText = {
  /** Names of event types and subjects. Types of another service are shown as they come. */
  type: eventTypeText,
  subjects: { user: 'User', entity: 'Entity', segment: 'Segment', subscription: 'Webhook' },
  delivered: 'Delivered',
  notDelivered: 'Not delivered',
}

/** Delivery status of an event in a row; a narrow row shows only its first part. */
export const deliveryStatusText = {
  waiting: 'Waiting',
  nextAttempt: ', next attempt {time}',
  whilePaused: ' for a paused webhook',
  failed: 'Failed',
  afterAttempts: (count: number) => ` after ${attempts(count)}`,
  none: 'No webhook',
}

/** The panel of one event. */
export const eventDetailText = {
  label: 'Event',
  close: 'Close',
  id: 'Id',
  time: 'Time',
  type: 'Type',
  delivery: 'Delivery',
  deliveredAt: 'Delivered at',
  properties: 'Properties',
  noProperties: 'None',
  json: 'JSON',
  copyJson: 'Copy JSON',
  copy: (name: string) => `Copy ${name}`,
  failure: {
    title: 'Couldn’t load this event',
    missing: {
      title: 'This event doesn’t exist',
      body: 'The link is wrong, or belongs to another service.',
    },
  },
}

export const eventChangesText = {
  title: 'What changed',
  gone: 'The service no longer keeps these changes.',
  receipt: 'Who deleted the user, and when the deletion is final',
  failed: 'Couldn’t load what changed',
}

export const deliveriesText = {
  title: 'Webhooks',
  none: 'No webhook was listening for this event.',
  failed: 'Couldn’t load the deliveries',
  failedBody: 'The event itself is shown above.',
  states: {
    waiting: 'Waiting',
    delivered: 'Delivered',
    failed: 'Failed, no more automatic retries',
    unsent: 'Not sent',
  },
  sending: 'Sending…',
  soon: 'Waiting, next attempt within a minute',
  next: 'Waiting, next attempt {time}',
  held: 'Waiting until the webhook is resumed',
  resend: 'Resend',
  resendTo: (name: string) => `Resend to ${name}`,
  send: 'Send',
  sendTo: (name: string) => `Send to ${name}`,
  resendAll: 'Resend to all',
  paused: 'This webhook is paused. Resume it first.',
  queued: (count: number) =>
    count === 0
      ? 'Nothing was sent: no enabled webhook listens for this event.'
      : `Resending the event to ${counted(count, { one: 'webhook', other: 'webhooks' })}.`,
  notQueued: 'The event wasn’t resent.',
  unknown: 'No answer came, so the event may have been resent. Check its attempts.',
  recover: 'Recover what it missed since then',
  attempts: (name: string) => `Attempts at ${name}, newest first`,
  attempt: (count: number) => `Attempt ${number(count)}, {time}`,
  allAttempts: (count: number) => `Show all ${attempts(count)}`,
}

export const eventChartText = {
  label: 'Events over time',
  title: 'Over time',
  /** Length of the time up to now that is shown. */
  times: 'Time span',
  presets: { day: '24 hours', week: '7 days', month: '30 days', year: '12 months' },
  /** Property that the bars are divided by. */
  divisions: 'Bars',
  division: { type: 'By type', delivery: 'By delivery' },
  counted: ({ count, span }: { readonly count: number; readonly span: string }) =>
    `${countedEvents(count)}, ${span}`,
  ofLoaded: ({ count, span }: { readonly count: number; readonly span: string }) =>
    `Only the ${countedEvents(count)} in the list, ${span}`,
  ofLoadedHint:
    'The service counts whole hours, by type and by delivery. It can’t count by this filter, so the chart shows the loaded events.',
  failed: 'Couldn’t count the events',
  nothing: 'No events in this time.',
  asTable: 'As a table',
  table: 'Events over time, as a table',
  tableCounted: 'Events counted by the service, by type and by current delivery status',
  tableLoaded: 'Events in the list',
  exactly: ({ from, to }: { readonly from: string; readonly to: string }) => `${from} – ${to}`,
  asTableHint: 'Show these numbers as a table',
  byType: 'Events by type',
  byState: 'Events by delivery',
  lag: 'Delivery lag',
  half: 'Half within',
  most: '95% within',
  slowest: 'Slowest',
  noneDelivered: 'None of these events has been delivered.',
  span: 'Time',
  all: 'Events',
  otherTypes: (count: number) => counted(count, { one: 'other type', other: 'other types' }),
  events: countedEvents,
  deliveredEvents: (count: number) => `${number(count)} delivered`,
  notDelivered: (count: number) => `${number(count)} not delivered`,
  line: ({ name, value }: { readonly name: string; readonly value: string }) => `${name}: ${value}`,
  onlyType: (code: string) => `Show only ${code}`,
  onlyState: (name: string) => `Show only: ${name}`,
  onlySpan:
    'Click to show only these. To choose several, drag over them, or press Shift and an arrow key, then Enter.',
  /** Announces the bars that are being selected. */
  selected: ({ span, count }: { readonly span: string; readonly count: number }) =>
    `${span}: ${countedEvents(count)}`,
  zoomOut: 'Zoom out',
  zoomOutHint: 'Back to the previous time span',
}

/** The list of events: what is loaded of the log, and how to load more. */
export const eventLogText = {
  title: 'Events',
  /** Says under the title how many events are in the list. */
  scope: {
    loaded: ({ loaded, total }: { readonly loaded: number; readonly total: number | undefined }) =>
      total === undefined
        ? `${countedEvents(loaded)} loaded`
        : `${number(loaded)} of ${countedEvents(total)} loaded`,
    matching: (rows: number) =>
      `${counted(rows, { one: 'matching event', other: 'matching events' })} loaded`,
    searched: ({ rows, searched, total, isNewest }: SearchedScope) => {
      const match = counted(rows, { one: 'event matches', other: 'events match' })
      const of =
        total === undefined ? countedEvents(searched) : `${number(searched)} of ${countedEvents(total)}`
      return `${match} among ${isNewest ? `the newest ${of}` : of}`
    },
    since: (scope: string) => `${scope}, back to {oldest}`,
    between: (scope: string) => `${scope}, from {oldest} to {newest}`,
    idsOnly: 'Your role shows ids only. Names and changes need permission to read users.',
    explain: 'This service doesn’t filter, so only loaded events are searched.',
  },
  columns: {
    time: (zone: string) => `Time (${zone})`,
    type: 'Type',
    subject: 'Subject',
    by: 'By',
    delivered: 'Delivery',
  },
  above: (count: number) => counted(count, { one: 'new event', other: 'new events' }),
  older: {
    loading: 'Loading older events…',
    searching: ({ searched, total }: { readonly searched: number; readonly total: number | undefined }) =>
      total === undefined
        ? `Searched ${countedEvents(searched)}`
        : `Searched ${number(searched)} of ${countedEvents(total)}`,
    progress: 'Searching older events',
    search: 'Search older events',
    stop: 'Stop searching',
    failed: 'Couldn’t load older events',
    newerFailed: 'Couldn’t load newer events',
    begin: 'This is the start of the log.',
    noMore: 'No older events match.',
    span: 'Start of the filtered period: {time}',
    beyond: 'Show events before it',
    full: (count: number) => `${countedEvents(count)} are loaded, the most this list holds.`,
    continue: 'Show older events in a new list',
  },
  failed: 'Couldn’t load the events',
  empty: {
    title: 'No events yet',
    body: 'Every change to a user, an entity or a segment appears here.',
    filteredTitle: 'No events match',
    filteredBody: 'No event in the log matches all of these filters.',
    searchedTitle: (count: number) => `None of the ${countedEvents(count)} searched match`,
    searchedBody: 'Older events haven’t been searched yet.',
    clear: 'Clear filters',
  },
}

interface SearchedScope {
  readonly rows: number
  readonly searched: number
  readonly total: number | undefined
  readonly isNewest: boolean
}

/** Describes in a row the user it is about and the one who acted. */
export const eventAboutText = {
  noName: 'No name',
  added: (type: string) => `new ${type}`,
  removed: (type: string) => `${type} deleted`,
  more: (count: number) => `and ${number(count)} more`,
  you: 'You',
}

export const liveText = {
  on: 'Live',
  onHint: 'New events appear automatically. Click to pause.',
  paused: (waiting: number) => (waiting === 0 ? 'Paused' : `Paused, ${number(waiting)} new`),
  pausedHint: 'New events are held back. Click to show them.',
  failing: 'Reconnecting',
  failingHint: 'Couldn’t load new events. The events in the list stay, and the console keeps retrying.',
  newest: 'Newest events',
  newestHint: 'The list doesn’t reach the newest events. Click to show them.',
}

export const eventFilterText = {
  types: 'Type',
  delivery: 'Delivery',
  any: 'Any',
  delivered: 'Delivered',
  notDelivered: 'Not delivered',
  states: { delivered: 'Delivered', waiting: 'Waiting', failed: 'Failed', none: 'No webhook' },
  user: 'User id',
  /** By name, where the service finds users. */
  anyUser: 'User',
  entity: 'Entity id',
  apply: 'Show events',
  badId: 'Enter one id, without spaces.',
  isType: (label: string) => `Type: ${label}`,
  isUser: (id: string) => `User ${id}`,
  /** The name keeps its own direction of writing. */
  isPerson: (name: string) => `User: \u2068${name}\u2069`,
  isEntity: (id: string) => `Entity ${id}`,
}

export const savedViewText = {
  button: 'Views',
  hint: 'Saved views (this browser only)',
  none: 'No saved views yet.',
  filterFirst: 'Filter the list, then save the filter here.',
  name: 'Save view as',
  save: 'Save view',
  remove: (name: string) => `Delete view ${name}`,
}

export const jumpText = {
  button: 'Jump to time',
  label: (zone: string) => `Date and time (${zone})`,
  go: 'Jump',
  presets: 'Times',
  hourAgo: '1 hour ago',
  dayAgo: '24 hours ago',
  weekAgo: '7 days ago',
  monthAgo: '30 days ago',
  missing: 'Enter a date and time.',
  around: (time: string) => `Around ${time}`,
}

export const eventExportText = {
  title: 'Export events',
  all: 'Every event that matches the filters, newest first.',
  everything: 'Every event in the log, newest first.',
  loaded: (count: number) =>
    `The ${countedEvents(count)} in the list. This service doesn’t filter: to export more, load or search older events first.`,
  format: 'Format',
  csv: 'CSV',
  csvHint: 'For spreadsheets: one row per event, with its ids',
  jsonl: 'JSON Lines',
  jsonlHint: 'One event per line, as in the API',
  running: 'Exporting events',
  rows: ({ count, back }: { readonly count: number; readonly back: string | undefined }) =>
    back === undefined ? countedEvents(count) : `${countedEvents(count)}, back to ${back}`,
  done: ({ count, file }: { readonly count: number; readonly file: string }) =>
    `${countedEvents(count)} in ${file}.`,
}
