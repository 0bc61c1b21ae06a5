import * as z from 'zod'

import { text } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { maxPropertiesPerEntity, propertyKey, revealRequest, sensitiveQuery } from './entity.ts'

/** One field of a user or one property of an entity, before and after. */
export const change = z.looseObject({
  /** `add`, `change` or `remove`. */
  op: z.string(),
  /** Key of the property; for a field of the user: `email`, `name`, `ref`, `since`, `account`. */
  key: z.string(),
  /** Data type of `after`, or of `before` if the property was removed. */
  type: z.string(),
  /** Data type of `before`, if it differs from `type`. */
  typeBefore: z.string().optional(),
  sensitive: z.boolean().nullish(),
  /** Previous marking; present only if the write changed whether the property is sensitive. */
  sensitiveBefore: z.boolean().optional(),
  /** Absent if there was no value, or if it is masked. */
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  /** True if the values are sensitive and therefore masked. */
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
  /** Id of the entity; absent if the write was to the user itself. */
  entity: z.string().nullish(),
  /** Operation on the user or the entity as a whole: `add`, `change` or `remove`. */
  op: z.string().nullish(),
  /** Type of the entity after the write, or before it if the entity was removed. */
  entityType: z.string().nullish(),
  /** The entity's type before the write, if it differs from `entityType`. */
  entityTypeBefore: z.string().nullish(),
  /** Subject of the token that made the change. */
  actor: z.string().nullish(),
  /** Reason, in the words of the person who made the change; only with `sensitive:read`. Absent if none was given. */
  reason: z.string().optional(),
  /** True if a reason was given that the caller may not read. */
  reasonMasked: z.boolean().optional(),
  /** Id of the changeset that this one reverts as a whole. */
  reverts: z.string().optional(),
  /** True while the whole of this write is reverted, and that was not reverted in turn. */
  reverted: z.boolean().optional(),
  /** Reference given for the deletion of the user; absent on other changesets. */
  reference: z.string().optional(),
  /** Time of the write, UTC with `Z` and milliseconds. */
  time: z.string(),
  /**
   * Changes in the order of the properties, removed ones last. May be empty, for example if only the order or the type
   * of the entity changed, or if a user was deleted.
   */
  changes: z.array(change),
})
export type Changeset = z.infer<typeof changeset>

export const revertRequest = z.strictObject({
  /** Keys of the properties to restore; absent: all properties that the changeset changed. */
  keys: z.array(propertyKey).min(1, 'Name the properties to restore.').max(maxPropertiesPerEntity).optional(),
})

/** Limits of a lookup: changesets per request, and changes listed for each. A one-line summary has no room for more. */
const maxLookedUpChangesets = 200
export const maxLookedUpChanges = 20

/** Summary of the changes of one write, without values. */
const knownChangeset = z.looseObject({
  id: z.string(),
  op: z.string().nullish(),
  /** Type of the entity; absent if the write was to the user itself. */
  entityType: z.string().nullish(),
  reason: z.string().optional(),
  /** True while the whole of the write is reverted, as in a changeset. */
  reverted: z.boolean().optional(),
  /** Total number of changes; `changes` lists only the first ones. */
  total: z.number(),
  changes: z.array(
    z.looseObject({
      op: z.string(),
      key: z.string(),
      type: z.string(),
      /** True if the property was sensitive before or after the change. */
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
      /** Id of the recorded act of reading that this request is part of. */
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
  revealChanges: {
    method: 'POST',
    path: '/changesets/{changeset_id}/reveal',
    tag: 'Events',
    summary: 'Values of some properties before and after one write, for a reason that the event log keeps.',
    needs: ['users:read', 'entities:read', 'sensitive:read'],
    body: revealRequest,
    reply: z.looseObject({ changes: z.array(change) }),
    status: [200],
    addition: 'changesets.reveal',
  },
  revertChangeset: {
    method: 'POST',
    path: '/changesets/{changeset_id}/revert',
    tag: 'Events',
    summary:
      'Reverts a change of an entity or of the fields of a user, or the deletion of an entity. Hidden values are restored without being shown.',
    // `entities:write`, or `users:write` for a change of a user's own fields, which only the changeset tells.
    needs: [],
    body: revertRequest,
    status: [204],
    reasoned: true,
    warns: true,
    conditional: true,
    addition: 'changesets.revert',
  },
} as const satisfies Record<string, Endpoint>
