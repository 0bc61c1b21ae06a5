import * as z from 'zod'

import { userId } from './common.ts'
import type { Endpoint } from './endpoint.ts'

/** Listed at most of those that wait, the oldest first; `total` counts all. */
export const maxListedErasures = 1000

/** Deletions on one page of those that are asked for by their state. */
export const erasuresPerPage = 50

/** The deletion of a user. As long as it waits, sealed values could be recovered by who has a master key of that time. */
const erasure = z.looseObject({
  user: userId,
  /** UTC with `Z` and milliseconds, as all of these times. */
  deleted: z.string(),
  /** `waiting` or `final`. */
  state: z.string().optional(),
  /** When it is final at the latest, while the service runs; absent where that is up to its operator, or done. */
  due: z.string().optional(),
  /** Since when it has been final; absent: it waits, or nobody noted when. */
  final: z.string().optional(),
  /** Subject of the token that deleted; absent: of a time when that was not kept. */
  actor: z.string().optional(),
  /** A reference such as a ticket's number; absent: none was given. */
  reference: z.string().optional(),
})
export type Erasure = z.infer<typeof erasure>

export const erasureList = z.looseObject({
  /** How many wait. */
  total: z.number(),
  /** Since when the oldest one has been waiting; absent: none. */
  since: z.string().optional(),
  /** Party that replaces the master key: the service, within a day of a deletion, or its operator. */
  finalBy: z.string(),
  /** When a deletion of this moment would be final at the latest; absent where that is up to the operator. */
  due: z.string().optional(),
  erasures: z.array(erasure),
  /** `offset` of the page that follows, `""` on the last one; absent where no state was asked for. */
  next: z.string().optional(),
})
export type ErasureList = z.infer<typeof erasureList>

export const erasureEndpoints = {
  listErasures: {
    method: 'GET',
    path: '/erasures',
    tag: 'Users',
    summary:
      'Deletions of users that are not final yet, oldest first: a master key that could open their sealed values is still in use. With `state`, 50 deletions a page: waiting, final or all, newest first. No personal data.',
    needs: ['users:read'],
    query: z.object({
      /** That one alone. */
      user: z.string().optional(),
      state: z.enum(['waiting', 'final', 'all'], 'Give waiting, final or all.').optional(),
      /** Opaque: the `next` of the page before, in the same state. */
      offset: z.string().optional(),
    }),
    reply: erasureList,
    status: [200],
    addition: 'erasures',
  },
} as const satisfies Record<string, Endpoint>
