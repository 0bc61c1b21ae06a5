import * as z from 'zod'

import { userId } from './common.ts'
import type { Endpoint } from './endpoint.ts'

/** Listed at most, the oldest first; `total` counts all. */
export const maxListedErasures = 1000

/** A deletion of a user that is not final yet: sealed values could be recovered by who has a master key of that time. */
const erasure = z.looseObject({
  user: userId,
  /** UTC with `Z` and milliseconds. */
  deleted: z.string(),
  /** When it is final at the latest, while the service runs; absent where that is up to its operator. */
  due: z.string().optional(),
})

export const erasureList = z.looseObject({
  /** How many wait. */
  total: z.number(),
  /** Since when the oldest one has been waiting; absent: none. */
  since: z.string().optional(),
  /** Who replaces the master key: the service by itself within a day of a deletion, or its operator. */
  finalBy: z.string(),
  erasures: z.array(erasure),
})
export type ErasureList = z.infer<typeof erasureList>

export const erasureEndpoints = {
  listErasures: {
    method: 'GET',
    path: '/erasures',
    tag: 'Users',
    summary:
      'Deletions of users that are not final yet, oldest first: a master key that could open what was sealed is still in use. Ids and times alone.',
    needs: ['users:read'],
    query: z.object({
      /** That one alone. */
      user: z.string().optional(),
    }),
    reply: erasureList,
    status: [200],
    addition: 'erasures',
  },
} as const satisfies Record<string, Endpoint>
