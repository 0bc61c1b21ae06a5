import * as z from 'zod'

import { eventId } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { timeZone } from './filter.ts'

/** Events of one page. */
export const eventsPerPage = 100

/** The event types that this service writes. Another service may know others. */
export const eventTypes = [
  'USER_CREATED',
  'USER_UPDATED',
  'USER_DELETED',
  'DIRECT_DATA_CHANGE',
  'SEGMENT_CREATED',
  'SEGMENT_UPDATED',
  'SEGMENT_DELETED',
  'SENSITIVE_DATA_ACCESSED',
  'SENSITIVE_DATA_CHECKED',
  'SENSITIVE_DATA_SEARCHED',
  'SUBSCRIPTION_CREATED',
  'SUBSCRIPTION_UPDATED',
  'SUBSCRIPTION_DELETED',
  'SUBSCRIPTION_SECRET_ROTATED',
  'WEBHOOK_TEST',
] as const
export type EventType = (typeof eventTypes)[number]

/** Events about the management of webhooks. They are logged, but never sent to webhooks. */
export const managementTypes = [
  'SUBSCRIPTION_CREATED',
  'SUBSCRIPTION_UPDATED',
  'SUBSCRIPTION_DELETED',
  'SUBSCRIPTION_SECRET_ROTATED',
] as const satisfies EventType[]

/** How an event stands with the webhooks that asked for it. */
export const deliveryStates = [
  /** All of them have taken it. */
  'delivered',
  /** One of them is still to be tried. */
  'waiting',
  /** One of them has used up its tries, whatever the others do. */
  'failed',
  /** No webhook asked for it. */
  'none',
] as const
export type DeliveryState = (typeof deliveryStates)[number]

/**
 * Something that has happened. Properties are ids, never values of a person's data; `actor`, the subject of a token, where
 * somebody's act caused it.
 */
export const event = z.looseObject({
  id: eventId,
  /** UTC with `Z` and milliseconds. */
  eventtime: z.string(),
  type: z.string(),
  properties: z.record(z.string(), z.unknown()).catch({}),
  delivered: z.boolean().nullish(),
  deliveredtime: z.string().nullish(),
  /** Present only if the request asked for it. */
  delivery: z
    .looseObject({
      state: z.enum(deliveryStates),
      /** When it is tried next, UTC with `Z`; absent: it does not wait, or for a webhook that is paused. */
      next: z.string().nullish(),
      /** Tries made so far, of a webhook that it waits for or that has failed. */
      attempts: z.number().nullish(),
    })
    .nullish(),
})
export type Event = z.infer<typeof event>

export const eventListQuery = z.object({
  /** Row offset from the first event, counted from 0. */
  offset: z
    .string()
    .regex(/^\d{1,15}$/, 'Give the offset as a whole number from 0 up.')
    .optional(),
})

/** A moment with its zone. */
export const eventTime = z.iso.datetime({
  offset: true,
  error: 'Give a time with its zone, such as 2024-03-01T09:30:00Z.',
})

/** `delivery`: how each event stands with its webhooks. */
const further = { with: z.enum(['delivery'], 'Give delivery, or leave it out.').optional() }

/** How the events stand: those that are as each of them says. */
const deliveryStatus = {
  delivered: z.enum(['true', 'false'], 'Give true or false.').optional(),
  delivery: z.enum(deliveryStates, 'Give delivered, waiting, failed or none.').optional(),
}

/** Any of these makes a page of 100 out of the matching events. They are not combined with `offset`. */
export const eventFilterQuery = z.object({
  ...further,
  order: z.enum(['asc', 'desc'], 'Give asc (oldest first) or desc.').optional(),
  type: z.string().optional(),
  /** Ids as they stand in an event's `properties`. */
  user: z.string().optional(),
  entity: z.string().optional(),
  ...deliveryStatus,
  /** First moment, and the one before which it ends. */
  from: eventTime.optional(),
  to: eventTime.optional(),
  /** Id of the last event of the page before: what follows it in this order. */
  after: z.string().optional(),
})

export const eventEndpoints = {
  listEvents: {
    method: 'GET',
    path: '/events',
    tag: 'Events',
    summary: 'Up to 100 events from a row offset on, oldest first.',
    needs: ['events:read'],
    expensive: true,
    query: eventListQuery,
    additionalQuery: eventFilterQuery,
    reply: z.array(event),
    status: [200],
  },
  getEvent: {
    method: 'GET',
    path: '/events/{event_id}',
    tag: 'Events',
    summary: 'One event.',
    needs: ['events:read'],
    additionalQuery: z.object(further),
    reply: event,
    status: [200],
  },
} as const satisfies Record<string, Endpoint>

const countValue = z.number()

/** Beyond the API document. */
export const eventAdditions = {
  countEvents: {
    method: 'GET',
    path: '/events/counts',
    tag: 'Events',
    summary:
      'How many events there were in each hour, day, week or month of a span of time, by type and by state of delivery.',
    needs: ['events:read'],
    expensive: true,
    query: z.object({
      /** First moment, and the one before which it ends; the hours, in UTC, in which they lie are counted as a whole. */
      from: eventTime.optional(),
      to: eventTime.optional(),
      by: z.enum(['hour', 'day', 'week', 'month'], 'Give hour, day, week or month.').optional(),
      /** In which days, weeks and months begin; absent: UTC. An hour counts for the day that it begins in. */
      tz: timeZone.optional(),
      /** Event types with commas between them; absent: all of them. */
      type: z.string().optional(),
      ...deliveryStatus,
    }),
    reply: z.looseObject({
      /** Only spans that have events, oldest first. */
      series: z.array(
        z.looseObject({
          /** UTC with `Z`. */
          start: z.string(),
          types: z.record(z.string(), countValue),
          states: z.looseObject({
            delivered: countValue,
            waiting: countValue,
            failed: countValue,
            none: countValue,
          }),
        }),
      ),
    }),
    status: [200],
    addition: 'events.counts',
  },
} as const satisfies Record<string, Endpoint>

/**
 * Not among the operations that are answered once: its answer are server-sent events (`id`, `data`: an event as JSON),
 * oldest first, for as long as the token is valid.
 */
export const eventStream = {
  method: 'GET',
  path: '/events/stream',
  tag: 'Events',
  summary:
    'Events as they happen, as server-sent events: after the event that `after` or `Last-Event-ID` names, else from now on.',
  needs: ['events:read'],
  query: eventFilterQuery.omit({ order: true }),
  status: [200],
  addition: 'events.stream',
} as const satisfies Endpoint
