import * as z from 'zod'

import { sendAlways } from './answered.ts'
import { eventId } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { timeZone } from './filter.ts'

/** Events per page. */
export const eventsPerPage = 100

/** Event types that this service writes. Another service may write others. */
export const eventTypes = [
  'USER_CREATED',
  'USER_UPDATED',
  'USER_DELETED',
  'DIRECT_DATA_CHANGE',
  'SEGMENT_CREATED',
  'SEGMENT_UPDATED',
  'SEGMENT_DELETED',
  'DEFINITION_CHANGED',
  'JOB_FINISHED',
  'EXPORT_FETCHED',
  'ERASURES_CHECKED',
  'JOB_STOPPED',
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

/** Delivery state of an event, across the webhooks that subscribe to it. */
export const deliveryStates = [
  /** All webhooks have received it. */
  'delivered',
  /** At least one webhook is still waiting for an attempt. */
  'waiting',
  /** At least one webhook has used up its attempts, whatever the state of the others. */
  'failed',
  /** No webhook was to receive it: none subscribes to it, or only paused ones. */
  'none',
] as const
export type DeliveryState = (typeof deliveryStates)[number]

/**
 * A recorded event. Its properties are ids, property keys and the like, never values, plus `actor`, the subject of the
 * token, if somebody's action caused it, and `job` if a job did it for them.
 */
export const event = z.looseObject({
  id: eventId,
  /** Time of the event, UTC with `Z` and milliseconds. */
  eventtime: z.string(),
  type: z.string(),
  properties: z.record(z.string(), z.unknown()).catch({}),
  delivered: sendAlways(z.boolean()),
  deliveredtime: z.string().nullish(),
  /** Delivery state; present only if the request asked for it. */
  delivery: z
    .looseObject({
      state: z.enum(deliveryStates),
      /** When the next attempt is due, UTC with `Z`; only in the state `waiting`, and not if the webhook is paused. */
      next: z.string().nullish(),
      /** Failed attempts since the last resend; the highest number if several webhooks are in this state. */
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

/** A point in time with its zone. */
export const eventTime = z.iso.datetime({
  offset: true,
  error: 'Give a time with its zone, such as 2024-03-01T09:30:00Z.',
})

/** `delivery` adds the delivery state to each event. */
const further = { with: z.enum(['delivery'], 'Give delivery, or leave it out.').optional() }

/** Filters by the delivery state of the events. */
const deliveryStatus = {
  delivered: z.enum(['true', 'false'], 'Give true or false.').optional(),
  delivery: z.enum(deliveryStates, 'Give delivered, waiting, failed or none.').optional(),
}

/** `one` leaves out the changes that jobs made: the end, or stop, of each job stands for them. */
const jobs = z.enum(['one'], 'Give jobs=one, or leave it out.').optional()

/** With any of these parameters, a page has up to 100 matching events. None can be combined with `offset`. */
export const eventFilterQuery = z.object({
  ...further,
  order: z.enum(['asc', 'desc'], 'Give asc (oldest first) or desc.').optional(),
  type: z.string().optional(),
  /** Ids, as in an event's `properties`. */
  user: z.string().optional(),
  entity: z.string().optional(),
  /** Subject of the token whose act caused the event. */
  actor: z.string().optional(),
  /** Id of the job that made the change, or that the event is about. */
  job: z.string().optional(),
  jobs,
  ...deliveryStatus,
  /** Start (inclusive) and end (exclusive) of the span. */
  from: eventTime.optional(),
  to: eventTime.optional(),
  /** Cursor: id of the last event of the previous page. The page continues after it in the given order. */
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

/** Endpoints beyond the API document. */
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
      /** Start (inclusive) and end (exclusive) of the span, extended to whole hours in UTC. */
      from: eventTime.optional(),
      to: eventTime.optional(),
      by: z.enum(['hour', 'day', 'week', 'month'], 'Give hour, day, week or month.').optional(),
      /**
       * Time zone in which days, weeks and months begin; defaults to UTC. An hour counts towards the day in which it
       * begins.
       */
      tz: timeZone.optional(),
      /** Comma-separated event types; defaults to all. */
      type: z.string().optional(),
      jobs,
      ...deliveryStatus,
    }),
    reply: z.looseObject({
      /** Spans, oldest first; those without events are left out. */
      series: z.array(
        z.looseObject({
          /** Start of the span, UTC with `Z`. */
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
 * Stream of events. Not in the list of endpoints, because those are answered once: this one sends server-sent events
 * (`id`, `data`: an event as JSON), oldest first, for as long as the token is valid.
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
