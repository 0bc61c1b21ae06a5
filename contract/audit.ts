import * as z from 'zod'

import { eventId, text } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { eventTime } from './event.ts'

/** Rows per page. */
export const auditRowsPerPage = 100

/**
 * Kinds of acts on sensitive values. `read`: a value was shown, or tested by a filter; `check`: it was compared with a
 * given value; `change`: it was written.
 */
export const auditKinds = ['read', 'check', 'change'] as const
export type AuditKind = (typeof auditKinds)[number]

/** Longest span and default span, in days, of the per-actor figures without a limit by user, key or kind. */
export const maxAuditDays = 366
export const auditDays = 30

const auditRow = z.looseObject({
  /** Id of the event that records the act. */
  id: eventId,
  /** Time of the act, UTC with `Z` and milliseconds. */
  time: z.string(),
  /** One of `auditKinds`. */
  kind: z.string(),
  /** Subject of the token. */
  actor: z.string(),
  /** Id of the user; absent for a search, which concerns many users. */
  user: z.string().nullish(),
  entity: z.string().nullish(),
  /**
   * Replaces `entity` if the act read or checked several entities: the properties of each. `keys` lists the keys of
   * all of them.
   */
  entities: z
    .array(
      z.looseObject({
        id: z.string(),
        /** Absent if the row has no `keys`, or if the user has since been deleted. */
        keys: z.array(z.string()).optional(),
      }),
    )
    .optional(),
  /** Kind of the request that tested values without showing them, such as `preview`, and the segment it named. */
  by: z.string().nullish(),
  segment: z.string().nullish(),
  /** Id of the export whose file was fetched; only with `by` of `export`. */
  job: z.string().optional(),
  /** Number of users that the search revealed something about. */
  users: z.number().nullish(),
  /** Keys of the properties. Empty: the user has since been deleted; absent: the caller may not read entities. */
  keys: z.array(z.string()).optional(),
  /** Reason, in the actor's words; absent if none was given, or if it was deleted with the user. */
  reason: z.string().optional(),
  /** Id of the changeset; only on rows of kind `change`. */
  changeset: z.string().optional(),
})
export type AuditRow = z.infer<typeof auditRow>

export const auditPage = z.looseObject({
  /** Rows, newest first. */
  rows: z.array(auditRow),
  /** Cursor for `after`; `""` on the last page. */
  next: z.string(),
})
export type AuditPage = z.infer<typeof auditPage>

const auditActor = z.looseObject({
  actor: z.string(),
  reads: z.number(),
  checks: z.number(),
  changes: z.number(),
  /**
   * Number of distinct users in the whole span. Users found by searches cannot be told apart, so each search counts
   * them again.
   */
  people: z.number(),
  /** Highest number of distinct users within an hour, and when that hour began: UTC with `Z`. */
  busiest: z.looseObject({ people: z.number(), hour: z.string() }),
  /** Median of the busiest hours of the actor's other days; absent if there are no other days. */
  usual: z.number().optional(),
  /** Whether `busiest` is unusually high; docs/api.md gives the threshold. */
  unusual: z.boolean(),
})

export type AuditActor = z.infer<typeof auditActor>

export const auditActors = z.looseObject({
  /**
   * Span that was counted. By default two dates in UTC: the first day, and the day after the last. With a limit by
   * `user`, `key` or `kind`, two moments instead, UTC with `Z`: the requested ones, or else the oldest act that
   * counts, and now.
   */
  from: z.string(),
  to: z.string(),
  /** True if there were too many acts: only the newest are counted, and `from` is the oldest of those. */
  cut: z.boolean().optional(),
  /** Sorted: actors with unusual activity first, then by the number of different users in their busiest hour. */
  actors: z.array(auditActor),
  /** True if there are more than 1,000 actors. */
  atLeast: z.boolean().optional(),
})
export type AuditActors = z.infer<typeof auditActors>

/** Filters of the list and of the figures; all given ones must match. */
const narrowing = {
  actor: text(1000).optional(),
  user: z.string().optional(),
  /** Key of a property. Requires `entities:read`, because the answer tells who has such a property. */
  key: text(128).optional(),
  kind: z.enum(auditKinds, 'Give read, check or change.').optional(),
}

export const auditEndpoints = {
  listAudit: {
    method: 'GET',
    path: '/audit',
    tag: 'Audit',
    summary: 'Who read, checked or changed sensitive values of whom, up to 100 at a time, the newest first.',
    needs: ['sensitive:read'],
    expensive: true,
    query: z.object({
      ...narrowing,
      /** Start (inclusive) and end (exclusive) of the span. */
      from: eventTime.optional(),
      to: eventTime.optional(),
      /** Cursor: the `next` of the previous page. */
      after: z.string().optional(),
    }),
    reply: auditPage,
    status: [200],
    addition: 'audit',
  },
  listAuditActors: {
    method: 'GET',
    path: '/audit/actors',
    tag: 'Audit',
    summary:
      'How often each actor read, checked or changed sensitive values, of how many users, and in which busiest hour. Takes the filters of the audit log.',
    needs: ['sensitive:read'],
    expensive: true,
    query: z.object({
      ...narrowing,
      /**
       * Span to count: the whole UTC days that contain these moments; defaults to the last 30 days. With `user`, `key`
       * or `kind`, the exact start (inclusive) and end (exclusive), as in the list; defaults to everything.
       */
      from: eventTime.optional(),
      to: eventTime.optional(),
    }),
    reply: auditActors,
    status: [200],
    addition: 'audit',
  },
} as const satisfies Record<string, Endpoint>
