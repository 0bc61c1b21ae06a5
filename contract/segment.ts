import * as z from 'zod'

import { segmentId, text } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { filter } from './filter.ts'

export * from './filter.ts'
export * from './operator.ts'

/** A named group of users as answered. Another service may send any filter, or none. */
export const segment = z.looseObject({
  id: segmentId,
  name: z.string().nullish(),
  description: z.string().nullish(),
  /** As it comes: `filter` (the schema) tells whether it is one of this grammar. */
  filter: z.unknown().optional(),
  /** IANA zone in which days begin for this segment; absent: UTC. */
  tz: z.string().nullish(),
  /** Datetimes without zone, UTC, `YYYY-MM-DDTHH:MM:SS.mmm`. */
  created: z.string().nullish(),
  updated: z.string().nullish(),
})
export type Segment = z.infer<typeof segment>

export const segmentWrite = z.strictObject({
  name: text(200).trim().min(1, 'A segment needs a name.'),
  description: text(2000).optional(),
  filter,
  tz: z
    .string()
    .refine(isTimeZone, 'Give a zone of the IANA time zone database, for example Europe/Berlin.')
    .optional(),
  id: z.unknown().optional(),
  created: z.unknown().optional(),
  updated: z.unknown().optional(),
})
export type SegmentWrite = z.infer<typeof segmentWrite>

/** Names only: `+02:00` is an offset that Intl takes too, but it is no zone, and PostgreSQL reads its sign the other way. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export const segmentEndpoints = {
  listSegments: {
    method: 'GET',
    path: '/segments',
    tag: 'Segments',
    summary: 'All segments, oldest first.',
    needs: ['segments:read'],
    reply: z.array(segment),
    status: [200],
  },
  createSegment: {
    method: 'POST',
    path: '/segments',
    tag: 'Segments',
    summary: 'Stores a named filter over users.',
    needs: ['segments:write'],
    body: segmentWrite,
    status: [201],
  },
  getSegment: {
    method: 'GET',
    path: '/segments/{segment_id}',
    tag: 'Segments',
    summary: 'One segment.',
    needs: ['segments:read'],
    reply: segment,
    status: [200],
  },
  deleteSegment: {
    method: 'DELETE',
    path: '/segments/{segment_id}',
    tag: 'Segments',
    summary: 'Removes a segment that no other segment uses.',
    needs: ['segments:write'],
    status: [204],
  },
} as const satisfies Record<string, Endpoint>

/**
 * Whether one user is in a segment. `null`: it would tell sensitive values that the caller may not read, or the filter
 * cannot be evaluated.
 */
export const membership = z.looseObject({
  id: segmentId,
  name: z.string().nullish(),
  member: z.boolean().nullable(),
})
export type Membership = z.infer<typeof membership>

/** Beyond the API document. */
export const segmentAdditions = {
  listUserSegments: {
    method: 'GET',
    path: '/users/{user_id}/segments',
    tag: 'Segments',
    summary: 'All segments, oldest first, and whether the user is in them.',
    needs: ['users:read', 'segments:read'],
    reply: z.array(membership),
    status: [200],
    addition: 'users.segments',
  },
} as const satisfies Record<string, Endpoint>
