import type { EventType } from '#contract/index.ts'
import { defineMessages } from '../language/message.ts'

export const eventText = defineMessages({
  /** Names of event types. Unknown types have no name and are shown as sent. */
  types: {
    USER_CREATED: 'User created',
    USER_UPDATED: 'User changed',
    USER_DELETED: 'User deleted',
    DIRECT_DATA_CHANGE: 'Data changed',
    SEGMENT_CREATED: 'Segment created',
    SEGMENT_UPDATED: 'Segment changed',
    SEGMENT_DELETED: 'Segment deleted',
    DEFINITION_CHANGED: 'Definition changed',
    ERASURES_CHECKED: 'Deletions checked',
    EXPORT_FETCHED: 'Export downloaded',
    JOB_FINISHED: 'Job finished',
    JOB_STOPPED: 'Job stopped',
    SENSITIVE_DATA_ACCESSED: 'Sensitive values viewed',
    SENSITIVE_DATA_CHECKED: 'Sensitive values checked',
    SENSITIVE_DATA_SEARCHED: 'Sensitive values searched',
    SUBSCRIPTION_CREATED: 'Webhook created',
    SUBSCRIPTION_UPDATED: 'Webhook changed',
    SUBSCRIPTION_DELETED: 'Webhook deleted',
    SUBSCRIPTION_SECRET_ROTATED: 'Webhook secret replaced',
    WEBHOOK_TEST: 'Webhook tested',
  } satisfies Record<EventType, string>,
  /** The subject of an event, with its id. */
  subjects: {
    user: 'User {id}',
    entity: 'Entity {id}',
    segment: 'Segment {id}',
    subscription: 'Webhook {id}',
  },
  delivered: 'Delivered',
  notDelivered: 'Not delivered',
})

/** Texts for the delivery status of an event; a narrow row shows only the texts `short`. */
export const deliveryStatusText = defineMessages({
  waiting: {
    short: 'Waiting',
    soon: 'Waiting, next attempt soon',
    next: 'Waiting, next attempt {time}',
    whilePaused: 'Waiting for a paused webhook',
  },
  failed: {
    short: 'Failed',
    afterAttempts: '{count, plural, one {Failed after # attempt} other {Failed after # attempts}}',
  },
})

/** Texts of the panel that shows one event. */
export const eventDetailText = defineMessages({
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
  copy: 'Copy {property}',
  failure: {
    title: 'Couldn’t load this event',
    missing: {
      title: 'This event doesn’t exist',
      body: 'The link is wrong, or belongs to another service.',
    },
  },
})

export const eventChangesText = defineMessages({
  title: 'What changed',
  receipt: 'Who deleted the user, and when the deletion is final',
})

export const deliveriesText = defineMessages({
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
  soon: 'Waiting, next attempt soon',
  next: 'Waiting, next attempt {time}',
  held: 'Waiting until the webhook is resumed',
  resend: 'Resend',
  resendTo: 'Resend to {webhook}',
  send: 'Send',
  sendTo: 'Send to {webhook}',
  resendAll: 'Resend to all',
  paused: 'This webhook is paused. Resume it first.',
  queued:
    '{count, plural, =0 {Nothing was sent: no webhook listens for this event, or all that do are paused or stopped.} one {Resending the event to # webhook.} other {Resending the event to # webhooks.}}',
  notQueued: 'Couldn’t resend the event.',
  /** `reason`: a sentence from the service. */
  notQueuedBecause: 'Couldn’t resend the event. {reason}',
  unknown: 'The service didn’t answer. The event may have been resent: check its attempts.',
  recover: 'Resend everything this webhook missed since this event',
  attempts: 'Delivery attempts to {webhook}, newest first',
  attempt: 'Attempt {attempt, number}, {time}',
  allAttempts: '{count, plural, one {Show all # attempt} other {Show all # attempts}}',
})

export const eventChartText = defineMessages({
  label: 'Events over time',
  title: 'Over time',
  /** Label of the choice of how far back from now the chart reaches. */
  times: 'Time span',
  presets: { day: '24 hours', week: '7 days', month: '30 days', year: '12 months' },
  /** Label of the choice of how the bars are divided. */
  views: 'View',
  view: { type: 'By type', delivery: 'By delivery', table: 'As a table' },
  counted: '{count, plural, one {# event, {span}} other {# events, {span}}}',
  uncounted: 'The chart over time can’t show one user, entity, actor or job.',
  failed: 'Couldn’t count the events',
  nothing: 'No events in this period.',
  table: 'Events over time, as a table',
  tableCaption: 'Events counted by the service, by type and by current delivery status',
  exactly: '{from} – {to}',
  byType: 'Events by type',
  byState: 'Events by delivery',
  span: 'Time',
  all: 'Events',
  otherTypes: '{count, plural, one {# other type} other {# other types}}',
  events: '{count, plural, one {# event} other {# events}}',
  /** Name of a bar, with its count. */
  line: '{name}: {value}',
  onlyType: 'Show only: {type}',
  onlyState: 'Show only: {state}',
  onlySpan:
    'Click to show only these events. To choose several bars, drag over them, or press Shift and an arrow key, then Enter.',
  /** Announces the bars that are being selected. */
  selected: '{count, plural, one {{span}: # event} other {{span}: # events}}',
  zoomOut: 'Zoom out',
  zoomOutHint: 'Remove the time span from the filter',
})

/** The list of events: what is loaded of the log, and how to load more. */
export const eventLogText = defineMessages({
  title: 'Events',
  /** Says under the title how many events are in the list. */
  scope: {
    loaded: '{loaded, plural, one {# event} other {# events}}',
    loadedOf: '{total, plural, one {{loaded, number} of # event} other {{loaded, number} of # events}}',
    matching: '{count, plural, one {# matching event} other {# matching events}}',
    /** `scope` is the text `loaded`, `loadedOf` or `matching`. */
    since: 'Newest {scope}, since {oldest}',
    between: '{scope}, {oldest} to {newest}',
    idsOnly: 'Your role can’t see users, so this list shows ids instead of names and changes.',
    bare: 'This service can’t filter events.',
  },
  columns: {
    time: 'Time ({zone})',
    type: 'Type',
    subject: 'Subject',
    by: 'By',
    delivered: 'Delivery',
  },
  news: '{count, plural, one {# new event · Show} other {# new events · Show}}',
  manyNews: 'More than {count, number} new events · Show',
  newer: 'Show newer events',
  newerFailed: 'Couldn’t load newer events.',
  older: {
    loading: 'Loading older events…',
    failed: 'Couldn’t load older events',
    begin: 'This is the start of the log.',
    noMore: 'No older events match.',
    span: 'Start of the filtered period: {time}',
    beyond: 'Show events before it',
    full: '{count, plural, one {# event is loaded, the most this list holds.} other {# events are loaded, the most this list holds.}}',
    continue: 'Show older events in a new list',
  },
  failed: 'Couldn’t load the events',
  empty: {
    title: 'No events yet',
    body: 'Every change to a user, an entity or a segment appears here.',
    filteredTitle: 'No events match',
    filteredBody: 'No event in the log matches all of these filters.',
    clear: 'Clear filters',
  },
})

/** Texts of a row that describe what the event is about and who acted. */
export const eventAboutText = defineMessages({
  noName: 'No name',
  added: 'new {type}',
  removed: '{type} deleted',
  /** An entity and its properties that changed: "car: Brand, Year". */
  changed: '{entity}: {properties}',
  more: '{properties} and {count, number} more',
  you: 'You',
  /** Label of an actor in a row: a link to their events within the filter. */
  only: 'Only events by {actor}',
})

export const liveText = defineMessages({
  on: 'Live',
  onHint: 'New events are announced above the list.',
  failing: 'Reconnecting',
  failingHint: 'Couldn’t load new events. The events in the list stay, and the console keeps retrying.',
  newest: 'Newest events',
  newestHint: 'The list doesn’t reach the newest events. Click to show them.',
})

export const eventFilterText = defineMessages({
  types: 'Type',
  delivery: 'Delivery',
  any: 'Any',
  delivered: 'Delivered',
  notDelivered: 'Not delivered',
  states: { delivered: 'Delivered', waiting: 'Waiting', failed: 'Failed', none: 'No webhook' },
  user: 'User id',
  /** Label of the field that finds a user by name, for people who may search users. */
  anyUser: 'User',
  entity: 'Entity id',
  apply: 'Show events',
  badId: 'Enter one id, without spaces.',
  isType: 'Type: {type}',
  isUser: 'User: {id}',
  isPerson: 'User: {name}',
  isEntity: 'Entity: {id}',
  /** Label of the suggestions for the field `By`. */
  actors: 'Colleagues and programs',
  you: '{actor} (you)',
  isActor: 'By: {actor}',
  isJob: 'Job: {id}',
  /** Without it, each job is one row of the list. */
  eachOfJobs: 'Each change that a job made',
})

export const savedViewText = defineMessages({
  button: 'Views',
  hint: 'Saved views (this browser only)',
  none: 'No saved views yet.',
  filterFirst: 'Filter the list, then save the view here.',
  withoutActor: 'Views don’t keep the filter “By”.',
  name: 'Save view as',
  save: 'Save view',
  remove: 'Delete view {name}',
})

export const jumpText = defineMessages({
  button: 'Jump to a time',
  label: 'Date and time ({zone})',
  go: 'Jump',
  presets: 'Times',
  hourAgo: '1 hour ago',
  dayAgo: '24 hours ago',
  weekAgo: '7 days ago',
  monthAgo: '30 days ago',
  missing: 'Enter a date and time.',
  start: 'Starting at {time}',
})

export const eventExportText = defineMessages({
  title: 'Export events',
  all: 'Every event that matches the filters, newest first.',
  everything: 'Every event in the log, newest first.',
  loaded:
    '{count, plural, one {The one event in the list. To export more, load older events first.} other {The # events in the list. To export more, load older events first.}}',
  format: 'Format',
  csv: 'CSV',
  csvHint: 'For spreadsheets: one row per event, with its ids',
  jsonl: 'JSON Lines',
  jsonlHint: 'One event per line, as in the API',
  running: 'Exporting events',
  rows: '{count, plural, one {# event} other {# events}}',
  rowsBackTo: '{count, plural, one {# event, back to {time}} other {# events, back to {time}}}',
  done: '{count, plural, one {# event in {file}.} other {# events in {file}.}}',
})
