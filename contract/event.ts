import * as z from 'zod'

import { eventId } from './common.ts'
import type { Endpoint } from './endpoint.ts'

/** Events of one page. */
export const eventsPerPage = 100

/** The event types that this service writes. Another service may know others. */
export const eventTypes = [
  'USER_CREATED',
  'USER_UPDATED',
  'USER_DELETED',
  'DIRECT_DATA_CHANGE',
  'SEGMENT_CREATED',
  'SEGMENT_DELETED',
] as const
export type EventType = (typeof eventTypes)[number]

/** Something that has happened. Properties are ids, never values of a person's data. */
export const event = z.looseObject({
  id: eventId,
  /** UTC with `Z` and milliseconds. */
  eventtime: z.string(),
  type: z.string(),
  properties: z.record(z.string(), z.unknown()).catch({}),
  delivered: z.boolean().nullish(),
  deliveredtime: z.string().nullish(),
})
export type Event = z.infer<typeof event>

export const eventListQuery = z.object({
  /** Row offset from the first event, counted from 0. */
  offset: z
    .string()
    .regex(/^\d{1,15}$/, 'Give the offset as a whole number from 0 up.')
    .optional(),
})

export const eventEndpoints = {
  listEvents: {
    method: 'GET',
    path: '/events',
    tag: 'Events',
    summary: 'Up to 100 events from a row offset on, oldest first.',
    needs: ['events:read'],
    query: eventListQuery,
    reply: z.array(event),
    status: [200],
  },
  getEvent: {
    method: 'GET',
    path: '/events/{event_id}',
    tag: 'Events',
    summary: 'One event.',
    needs: ['events:read'],
    reply: event,
    status: [200],
  },
} as const satisfies Record<string, Endpoint>
