import * as z from 'zod'

import { eventId, text } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { eventTime } from './event.ts'

/** Rows of one page. */
export const auditRowsPerPage = 100

/** Acts on sensitive values: shown or tested by a filter, compared with one given, or written. */
export const auditKinds = ['read', 'check', 'change'] as const
export type AuditKind = (typeof auditKinds)[number]

/** The longest span of the actors' figures, and the one where none is asked for. */
export const maxAuditDays = 366
export const auditDays = 30

const auditRow = z.looseObject({
  /** Id of the event that records the act. */
  id: eventId,
  /** UTC with `Z` and milliseconds. */
  time: z.string(),
  /** One of `auditKinds`. */
  kind: z.string(),
  /** Subject of the token. */
  actor: z.string(),
  /** Absent: a search, which tells of many. */
  user: z.string().nullish(),
  entity: z.string().nullish(),
  /** In place of `entity`: an act that read or checked several, and which properties of each. `keys` has these together. */
  entities: z
    .array(
      z.looseObject({
        id: z.string(),
        /** Absent: as `keys` is, or the user has been deleted since. */
        keys: z.array(z.string()).optional(),
      }),
    )
    .optional(),
  /** The request of a search, in which values were tested and not shown, and the segment that it named. */
  by: z.string().nullish(),
  segment: z.string().nullish(),
  /** How many users it told of. */
  users: z.number().nullish(),
  /** Keys of the properties. Empty: the user has since been deleted; absent: the caller may not read entities. */
  keys: z.array(z.string()).optional(),
  /** Why, in the actor's words; absent: none was given, or it is gone with the user. */
  reason: z.string().optional(),
  /** Id of the changeset; only on rows of kind `change`. */
  changeset: z.string().optional(),
})
export type AuditRow = z.infer<typeof auditRow>

export const auditPage = z.looseObject({
  /** The newest first. */
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
  /** Different users in the whole span; those of searches, who are not told apart, count each time. */
  people: z.number(),
  /** Most different users within an hour, and when it began: UTC with `Z`. */
  busiest: z.looseObject({ people: z.number(), hour: z.string() }),
  /** The median of the busiest hours of the actor's other days; absent: there are none. */
  usual: z.number().optional(),
  /** Whether `busiest` is unusually high; docs/api.md gives the threshold. */
  unusual: z.boolean(),
})

export type AuditActor = z.infer<typeof auditActor>

export const auditActors = z.looseObject({
  /**
   * The days that were counted, in UTC: the first one, and the one after the last. Of what is limited by `user`, `key` or `kind` the
   * moments, UTC with `Z`: those that were asked for, or the oldest act that counts, and now.
   */
  from: z.string(),
  to: z.string(),
  /** There were too many acts: the newest are counted, and `from` is the oldest of them. */
  cut: z.boolean().optional(),
  /** Sorted: actors with unusual activity first, then by the number of different users in their busiest hour. */
  actors: z.array(auditActor),
  /** There are more than 1,000. */
  atLeast: z.boolean().optional(),
})
export type AuditActors = z.infer<typeof auditActors>

/** Limits of the list and of the figures; all that are given have to match. */
const narrowing = {
  actor: text(1000).optional(),
  user: z.string().optional(),
  /** Key of a property. It needs `entities:read`, since the answer tells who has it. */
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
      /** First moment, and the one before which it ends. */
      from: eventTime.optional(),
      to: eventTime.optional(),
      /** `next` of the page before. */
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
       * Counted by days, in UTC: the whole of the days that these moments are in. Absent: the last 30. With `user`, `key` or `kind`
       * the first moment and the one before which it ends, as in the list. Absent: all.
       */
      from: eventTime.optional(),
      to: eventTime.optional(),
    }),
    reply: auditActors,
    status: [200],
    addition: 'audit',
  },
} as const satisfies Record<string, Endpoint>
