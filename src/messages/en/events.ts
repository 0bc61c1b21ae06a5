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
}

export const events = {
  title: 'Events',
  total: (count: number) => counted(count, { one: 'event', other: 'events' }),
  refresh: 'Refresh',
  newEvents: (count: number) => counted(count, { one: 'new event', other: 'new events' }),
  nothingNew: 'Nothing new has happened.',
  refreshFailed: 'New events could not be looked for. Try again in a moment.',
  empty: {
    title: 'Nothing has happened yet',
    body: 'Every change to a user, an entity or a segment is recorded here as an event.',
  },
  columns: { time: 'Time', type: 'Type', subject: 'Subject', delivered: 'Delivery' },
  /** What an event is about; another service's types and properties are shown as they come. */
  type: (code: string): string | undefined => (types as Readonly<Record<string, string>>)[code],
  subjects: { user: 'User', entity: 'Entity', segment: 'Segment' },
  delivered: 'Delivered',
  notDelivered: 'Not delivered',
  pager: {
    label: 'Pages of events',
    newest: 'Newest',
    newer: 'Newer',
    older: 'Older',
    range: (from: number, to: number, total: number) =>
      `${number(from)}–${number(to)} of ${number(total)}, newest first`,
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
  failure: {
    notFoundTitle: 'There is no such event',
    notFoundBody: 'The address is wrong, or it belongs to another service.',
    title: 'This event could not be loaded',
    body: 'Nothing was changed. Try again in a moment.',
  },
}
