import * as z from 'zod'

import { sendAlways, sendAs } from './answered.ts'
import { formatCount, oneLine, segmentId, segmentsPerPage, text } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { filter, type PropertyTest, timeZone, type UserTest } from './filter.ts'
import { user } from './user.ts'
import { trimEnds } from './visible.ts'

export * from './filter.ts'
export * from './operator.ts'

/** A named group of users as returned. Another service may send any kind of filter, or none. */
export const segment = z.looseObject({
  id: segmentId,
  name: sendAlways(z.string()),
  description: z.string().nullish(),
  /** Filter, not parsed, because another service may have another grammar; the schema `filter` validates it. */
  filter: sendAs(z.unknown().optional(), filter),
  /** IANA time zone in which days begin for this segment; defaults to UTC. */
  tz: z.string().nullish(),
  /** Datetimes without zone, UTC, `YYYY-MM-DDTHH:MM:SS.mmm`. */
  created: sendAlways(z.string()),
  updated: sendAlways(z.string()),
  /**
   * Number of members at the last count; absent if not counted yet, or if the number would reveal information that the
   * caller may not see.
   */
  total: z.number().nullish(),
  /** When `total` was counted; without zone, UTC. */
  counted: z.string().nullish(),
})
export type Segment = z.infer<typeof segment>

export const segmentWrite = z.strictObject({
  name: oneLine(200, 'A segment needs a name.').overwrite(trimEnds).min(1, 'A segment needs a name.'),
  description: text(2000).optional(),
  filter,
  tz: timeZone.optional(),
  id: z.unknown().optional(),
  created: z.unknown().optional(),
  updated: z.unknown().optional(),
  total: z.unknown().optional(),
  counted: z.unknown().optional(),
})
export type SegmentWrite = z.infer<typeof segmentWrite>

/** Cursor of the list: id of the last segment of the previous page. */
const segmentOffset = z.object({
  offset: z.uuid('Give the id of the last segment of the page before.').optional(),
})

/** Maximum number of users that a request may name by id. */
export const maxBatchIds = 10_000

/** Users of a job: named by id, found by a filter, or all of a segment. */
export const userSelection = {
  ids: z
    .array(z.uuid('Give the id of a user.').toLowerCase())
    .min(1, 'Name the users.')
    .max(maxBatchIds, `Name at most ${formatCount(maxBatchIds)} users.`)
    .optional(),
  filter: segmentWrite.shape.filter.optional(),
  /** Time zone in which the days of `filter` begin. */
  tz: segmentWrite.shape.tz,
  segment: z.string().optional(),
}

/** Whether a request says in one way alone which users it is about. */
export const isOneSelection = ({
  ids,
  filter,
  segment,
}: {
  readonly ids?: unknown
  readonly filter?: unknown
  readonly segment?: unknown
}) => [ids, filter, segment].filter((given) => given !== undefined).length === 1

export const oneSelection = 'Give one of ids, filter and segment.'

export const segmentEndpoints = {
  listSegments: {
    method: 'GET',
    path: '/segments',
    tag: 'Segments',
    summary: `Segments, oldest first: the first ${segmentsPerPage}, or those after the one that \`offset\` names.`,
    needs: ['segments:read'],
    expensive: true,
    additionalQuery: segmentOffset,
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
    conditional: true,
  },
  deleteSegment: {
    method: 'DELETE',
    path: '/segments/{segment_id}',
    tag: 'Segments',
    summary: 'Removes a segment that no other segment uses.',
    needs: ['segments:write'],
    status: [204],
    conditional: true,
  },
} as const satisfies Record<string, Endpoint>

/**
 * A filter evaluated on one user: the filter itself, with `pass` on each part and `actual` on each test. `actual` is
 * absent if there is no value, and replaced by `masked` if the value is sensitive.
 */
export type Judged = { readonly pass: boolean } & (
  | { readonly all: readonly Judged[] }
  | { readonly any: readonly Judged[] }
  | { readonly not: Judged }
  /** `is` is absent if the segment does not exist. */
  | { readonly segment: string; readonly is?: Judged }
  | (UserTest & { readonly actual?: unknown })
  | {
      readonly entity: string
      readonly min?: number | undefined
      readonly where?: readonly PropertyTest[] | undefined
      /** Entities of the type, oldest first, each with its test results. */
      readonly entities: readonly {
        readonly id: string
        readonly pass: boolean
        readonly where: readonly (PropertyTest & {
          readonly pass: boolean
          readonly actual?: unknown
          readonly masked?: boolean | undefined
        })[]
      }[]
    }
)

const judged = z.custom<Judged>((value) => typeof value === 'object' && value !== null && 'pass' in value)

/**
 * Whether one user is in a segment. `member` is null if the answer would reveal sensitive values that the caller may
 * not read, or if the filter cannot be evaluated.
 */
export const membership = z.looseObject({
  id: segmentId,
  name: sendAlways(z.string()),
  member: z.boolean().nullable(),
  /** Explanation, requested with `explain`; absent if `member` is null. */
  why: judged.optional(),
})
export type Membership = z.infer<typeof membership>

/** Whether one user matches a filter. */
export const explanation = z.looseObject({
  member: z.boolean(),
  /**
   * Explanation; absent if it would reveal the sensitive values used for comparison to a caller who may not read them.
   */
  why: judged.optional(),
})

export const previewSampleSize = 10

/** Users who match a filter that is not stored. */
export const segmentPreview = z.looseObject({
  total: z.number(),
  /** True if there may be more: counting stopped at `total` to answer in time. */
  atLeast: z.boolean().optional(),
  /** Sample of the matching users, oldest first. */
  users: z.array(user),
})
export type SegmentPreview = z.infer<typeof segmentPreview>

/** Daily sizes of a segment: for each day on which it was counted, the last count. */
export const segmentHistory = z.looseObject({
  id: segmentId,
  /**
   * Sizes, oldest first. Empty if the segment was never counted, or if the numbers would reveal information that the
   * caller may not see.
   */
  sizes: z.array(
    z.looseObject({
      /** `YYYY-MM-DD`, in UTC. */
      day: z.string(),
      total: z.number(),
      /** Total number of users at that time. */
      users: z.number(),
    }),
  ),
})
export type SegmentHistory = z.infer<typeof segmentHistory>
export const historyDays = 90

const unsavedFilter = z.strictObject({ filter: segmentWrite.shape.filter, tz: segmentWrite.shape.tz })

/** Endpoints beyond the API document. */
export const segmentAdditions = {
  listUserSegments: {
    method: 'GET',
    path: '/users/{user_id}/segments',
    tag: 'Segments',
    summary:
      'Segments, in pages as the list of them, and whether the user is in them; with `explain=true` also why.',
    needs: ['users:read', 'segments:read'],
    expensive: true,
    query: segmentOffset.extend({ explain: z.enum(['true', 'false'], 'Give true or false.').optional() }),
    reply: z.array(membership),
    status: [200],
    addition: 'users.segments',
  },
  explainUser: {
    method: 'POST',
    path: '/users/{user_id}/explain',
    tag: 'Segments',
    summary: 'Whether a filter finds a user, and why. Stores nothing.',
    needs: ['users:read', 'entities:read', 'segments:read'],
    expensive: true,
    body: unsavedFilter,
    reply: explanation,
    status: [200],
    addition: 'users.explain',
    safe: true,
  },
  replaceSegment: {
    method: 'PUT',
    path: '/segments/{segment_id}',
    tag: 'Segments',
    summary: 'Replaces name, description, filter and zone of a segment, which keeps its id.',
    needs: ['segments:write'],
    body: segmentWrite,
    status: [204],
    conditional: true,
    addition: 'segments.replace',
  },
  previewSegment: {
    method: 'POST',
    path: '/segments/preview',
    tag: 'Segments',
    summary: `How many users a filter finds, and the first ${previewSampleSize} of them. Stores nothing.`,
    needs: ['users:read', 'segments:read'],
    expensive: true,
    body: unsavedFilter,
    reply: segmentPreview,
    status: [200],
    addition: 'segments.preview',
    safe: true,
  },
  listSegmentHistory: {
    method: 'GET',
    path: '/segments/history',
    tag: 'Segments',
    summary: `How many users each segment had, day by day, in the last ${historyDays} days; in pages as the list of them.`,
    needs: ['segments:read'],
    expensive: true,
    query: segmentOffset,
    reply: z.array(segmentHistory),
    status: [200],
    addition: 'segments.history',
  },
  listDependents: {
    method: 'GET',
    path: '/segments/{segment_id}/dependents',
    tag: 'Segments',
    summary: 'The segments whose filters use this one, oldest first.',
    needs: ['segments:read'],
    reply: z.array(z.looseObject({ id: segmentId, name: sendAlways(z.string()) })),
    status: [200],
    addition: 'segments.dependents',
  },
} as const satisfies Record<string, Endpoint>
