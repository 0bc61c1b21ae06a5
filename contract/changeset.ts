import * as z from 'zod'

import type { Endpoint } from './endpoint.ts'

/** One field of a user or one property of an entity, before and after. */
export const change = z.looseObject({
  op: z.string(),
  /** A property's key; of a user: `email`, `name`, `ref`, `since`, `account`. */
  key: z.string(),
  type: z.string(),
  sensitive: z.boolean().nullish(),
  /** Absent where there was none, or where the value is withheld (`masked`). */
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  /** The values are sensitive and the caller may not see them. */
  masked: z.boolean().optional(),
})
export type Change = z.infer<typeof change>

/** What one write changed: all of it, computed by the service. Gone with the user that it is about. */
export const changeset = z.looseObject({
  id: z.string(),
  user: z.string(),
  /** Absent: the write was to the user itself. */
  entity: z.string().nullish(),
  /** Subject of the token that wrote. */
  actor: z.string().nullish(),
  /** UTC with `Z` and milliseconds. */
  time: z.string(),
  changes: z.array(change),
})
export type Changeset = z.infer<typeof changeset>

export const changesetEndpoints = {
  getChangeset: {
    method: 'GET',
    path: '/changesets/{changeset_id}',
    tag: 'Events',
    summary: 'What one write changed, before and after.',
    needs: ['users:read', 'entities:read'],
    reply: changeset,
    status: [200],
    addition: 'changesets',
  },
} as const satisfies Record<string, Endpoint>
