import * as z from 'zod'

import { maxReference, text, userId } from './common.ts'
import { emailAddress } from './email.ts'
import type { Endpoint } from './endpoint.ts'
import { eventTime } from './event.ts'
import { newRef } from './user.ts'
import { visible } from './visible.ts'

/** Maximum number of waiting deletions in the list, oldest first; `total` counts all of them. */
export const maxListedErasures = 1000

/** Deletions per page when `state` is given. */
export const erasuresPerPage = 50

/**
 * The deletion of a user. While it is waiting, someone with a master key of that time could recover the user's sealed
 * values.
 */
export const erasure = z.looseObject({
  user: userId,
  /** When the user was deleted. UTC with `Z` and milliseconds, like all times here. */
  deleted: z.string(),
  /** `waiting` or `final`. */
  state: z.string().optional(),
  /**
   * Latest time at which the deletion becomes final, provided that the service runs; absent if that depends on the
   * operator, or if it is already final.
   */
  due: z.string().optional(),
  /** When the deletion became final; absent if it is still waiting, or if the time was not recorded. */
  final: z.string().optional(),
  /** Subject of the token that deleted the user; absent for deletions from before this was recorded. */
  actor: z.string().optional(),
  /** Reference, such as a ticket number; absent if none was given. */
  reference: z.string().optional(),
  /**
   * Segments and jobs that still hold the user's e-mail, name, ref or id, until they are emptied of it; absent if none does, or if the
   * request named no `user` with `state`.
   */
  traces: z
    .looseObject({
      /** `name` is absent for a caller who may not read segments. */
      segments: z.array(z.looseObject({ id: z.string(), name: z.string().optional() })),
      jobs: z.array(z.looseObject({ id: z.string() })),
    })
    .optional(),
})
export type Erasure = z.infer<typeof erasure>

export const erasureList = z.looseObject({
  /** Number of waiting deletions. */
  total: z.number(),
  /** Since when the oldest one has been waiting; absent if none is. */
  since: z.string().optional(),
  /** Party that replaces the master key: the service, within a day of a deletion, or its operator. */
  finalBy: z.string(),
  /** Latest time at which a deletion made now would become final; absent if that depends on the operator. */
  due: z.string().optional(),
  erasures: z.array(erasure),
  /** `offset` of the next page, `""` on the last one; absent if the request named no `state`. */
  next: z.string().optional(),
})
export type ErasureList = z.infer<typeof erasureList>

/** One identifier of a person, all of it. E-mails are compared as everywhere, refs whatever their case. */
const erasureQuestion = z
  .strictObject({
    email: visible().pipe(emailAddress).optional(),
    ref: newRef.refine((value) => value !== '', 'Give the ref.').optional(),
  })
  .refine(({ email, ref }) => (email === undefined) !== (ref === undefined), 'Give either email or ref.')

const erasureState = z.enum(['waiting', 'final', 'all'], 'Give waiting, final or all.')

const erasureSearch = z.strictObject({
  state: erasureState.default('all'),
  /** Part of the reference or of the actor, whatever the case of the letters a to z, or the beginning of the id. */
  q: text(maxReference).optional(),
  /** Start (inclusive) and end (exclusive) of the time in which users were deleted. */
  from: eventTime.optional(),
  to: eventTime.optional(),
  /** Opaque cursor: the `next` of the previous page of the same search. */
  offset: z.string().optional(),
})

export const erasureCheck = z.looseObject({
  erased: z.boolean(),
  /** Deletions of users who had this e-mail or ref, the 50 newest, newest first. */
  erasures: z.array(erasure),
  /**
   * Time of the newest deletion of which nothing is kept that could be compared: whoever was deleted up to then may not be found.
   * Absent if there is none.
   */
  unknownUntil: z.string().optional(),
})
export type ErasureCheck = z.infer<typeof erasureCheck>

export const erasureEndpoints = {
  listErasures: {
    method: 'GET',
    path: '/erasures',
    tag: 'Users',
    summary:
      'Deletions of users that are not final yet, oldest first: a master key that could open their sealed values is still in use. With `state`, 50 deletions a page: waiting, final or all, newest first.',
    needs: ['users:read'],
    query: z.object({
      /** Id of a user, to list only their deletion. */
      user: z.string().optional(),
      state: erasureState.optional(),
      /** Opaque cursor: the `next` of the previous page of the same state. */
      offset: z.string().optional(),
    }),
    reply: erasureList,
    status: [200],
    addition: 'erasures',
  },
  searchErasures: {
    method: 'POST',
    path: '/erasures/search',
    tag: 'Users',
    summary:
      'Deletions of users by reference, actor, id and time, 50 a page, newest first. In the body, so that no URL holds what somebody typed.',
    needs: ['users:read'],
    body: erasureSearch,
    reply: erasureList,
    status: [200],
    addition: 'erasures.search',
    safe: true,
  },
  checkErasure: {
    method: 'POST',
    path: '/erasures/check',
    tag: 'Users',
    summary:
      'Whether a user with this e-mail or ref was deleted, when, and under which reference, by keyed digests kept with the deletions. The event log keeps who asked, and not for whom.',
    needs: ['users:read'],
    body: erasureQuestion,
    reply: erasureCheck,
    status: [200],
    guessing: true,
    addition: 'erasures.check',
  },
} as const satisfies Record<string, Endpoint>
