import * as z from 'zod'

import { text } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { maxPropertiesPerEntity, propertyKey, sensitiveQuery } from './entity.ts'

/** One field of a user or one property of an entity, before and after. */
export const change = z.looseObject({
  /** `add`, `change` or `remove`. */
  op: z.string(),
  /** A property's key; of a user: `email`, `name`, `ref`, `since`, `account`. */
  key: z.string(),
  /** Data type of `after`; of `before` where the property was removed. */
  type: z.string(),
  /** Data type of `before`, if it differs from `type`. */
  typeBefore: z.string().optional(),
  sensitive: z.boolean().nullish(),
  /** Present only if the write changed whether the property is sensitive. */
  sensitiveBefore: z.boolean().optional(),
  /** Absent where there was none, or where the value is withheld (`masked`). */
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  /** The values are sensitive and the caller may not see them. */
  masked: z.boolean().optional(),
})
export type Change = z.infer<typeof change>

/**
 * Everything that one write changed, as computed by the service. A user's changesets are deleted with the user, except
 * the one of the deletion itself, which lists no changes.
 */
export const changeset = z.looseObject({
  id: z.string(),
  user: z.string(),
  /** Absent: the write was to the user itself. */
  entity: z.string().nullish(),
  /** Operation on the user or the entity as a whole: `add`, `change` or `remove`. */
  op: z.string().nullish(),
  /** The entity's own type, after the write; where it was removed, before. */
  entityType: z.string().nullish(),
  /** The entity's type before the write, if it differs from `entityType`. */
  entityTypeBefore: z.string().nullish(),
  /** Subject of the token that wrote. */
  actor: z.string().nullish(),
  /** Why, in the words of whoever made the change: with `sensitive:read`. Absent: none was given. */
  reason: z.string().optional(),
  /** A reason was given, and the caller may not read it. */
  reasonMasked: z.boolean().optional(),
  /** Reference that was given for the deletion of the user; absent on other changesets. */
  reference: z.string().optional(),
  /** UTC with `Z` and milliseconds. */
  time: z.string(),
  /** In the order of the properties; those removed come last. None: only their order changed, or a user was deleted. */
  changes: z.array(change),
})
export type Changeset = z.infer<typeof changeset>

export const revertRequest = z.strictObject({
  /** Only these of the properties that it changed; absent: all that it did. */
  keys: z.array(propertyKey).min(1, 'Name the properties to restore.').max(maxPropertiesPerEntity).optional(),
})

/** Changesets told of at once, and how much is told of each: what a line about it has room for. */
const maxLookedUpChangesets = 200
export const maxLookedUpChanges = 20

/** What a write changed, in short: no value is in it. */
const knownChangeset = z.looseObject({
  id: z.string(),
  op: z.string().nullish(),
  /** Absent: the write was to the user itself. */
  entityType: z.string().nullish(),
  reason: z.string().optional(),
  /** How many changes there were; `changes` has the first ones. */
  total: z.number(),
  changes: z.array(
    z.looseObject({
      op: z.string(),
      key: z.string(),
      type: z.string(),
      /** Before or after. */
      sensitive: z.boolean().nullish(),
    }),
  ),
})
export type LookedUpChangeset = z.infer<typeof knownChangeset>

const changesetLookup = z.strictObject({
  ids: z
    .array(text(64))
    .min(1, 'Name the changesets to look up.')
    .max(maxLookedUpChangesets, `At most ${maxLookedUpChangesets} changesets at a time.`),
})

export const changesetEndpoints = {
  getChangeset: {
    method: 'GET',
    path: '/changesets/{changeset_id}',
    tag: 'Events',
    summary: 'What one write changed, before and after.',
    needs: ['users:read', 'entities:read'],
    query: sensitiveQuery.extend({
      /** The act of reading that this is a part of, and is on record with. */
      access: z.string().optional(),
    }),
    reply: changeset,
    status: [200],
    addition: 'changesets',
  },
  lookUpChangesets: {
    method: 'POST',
    path: '/changesets/lookup',
    tag: 'Events',
    summary: `Which properties up to ${maxLookedUpChangesets} writes changed, without values: by the ids of their changesets, in the order asked. Changesets that are gone are left out.`,
    needs: ['users:read', 'entities:read'],
    body: changesetLookup,
    reply: z.array(knownChangeset),
    status: [200],
    addition: 'changesets.lookup',
    safe: true,
  },
  revertChangeset: {
    method: 'POST',
    path: '/changesets/{changeset_id}/revert',
    tag: 'Events',
    summary:
      'Reverts a change of an entity, or its deletion. Hidden values are restored without being shown.',
    needs: ['entities:write'],
    body: revertRequest,
    status: [204],
    reasoned: true,
    warns: true,
    conditional: true,
    addition: 'changesets.revert',
  },
} as const satisfies Record<string, Endpoint>
