import * as z from 'zod'

import { sendAlways, sendAs } from './answered.ts'
import { issueAt } from './code.ts'
import { entityId, eventId, maxReason, propertyId, text } from './common.ts'
import { knownKey } from './dictionary.ts'
import type { Endpoint } from './endpoint.ts'
import { dataType } from './property-value.ts'
import { trimEnds, visible } from './visible.ts'

export const maxPropertiesPerEntity = 500
export const maxEntitiesPerUser = 1000
/** Largest entity, in bytes. Each property counts its key, its value as JSON text (UTF-8) and 128 bytes of overhead. */
export const maxEntityBytes = 1024 * 1024
/** Largest total of all entities of one user, in bytes. */
export const maxUserBytes = 16 * 1024 * 1024

/** A property as returned. `masked: true` without a `value` means that the value is masked. */
export const property = z.looseObject({
  id: propertyId.optional(),
  key: z.string(),
  /** Name of a data type. Another service may have further types. */
  type: sendAs(z.string(), dataType),
  sensitive: sendAlways(z.boolean()),
  /** Value, whose shape depends on `type`; `null` if the property has no value. */
  value: z.unknown().optional(),
  masked: z.boolean().optional(),
  /**
   * Comes with `masked` and changes with the value, so that a client can tell two versions apart without seeing the
   * value. The version is not derived from the value: it also changes if a caller who may not read the value writes
   * the same one again.
   */
  version: z.string().optional(),
})
export type Property = z.infer<typeof property>

export const entity = z.looseObject({
  id: entityId,
  type: z.string(),
  created: sendAlways(z.string()),
  properties: z.array(property),
})
export type Entity = z.infer<typeof entity>

export const entityType = visible().regex(
  /^[a-z][a-z0-9_-]{0,63}$/,
  'Write a type as a lower-case letter, then up to 63 of a-z, 0-9, _ and -.',
)

/** Key of a stored property. */
export const propertyKey = text(128)
  .min(1, 'A property needs a key.')
  .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'A key holds no control characters.')

/** Key of a property to be created: invisible characters are removed at either end, and refused inside. */
export const newPropertyKey = visible().pipe(propertyKey)

/**
 * A property as written. `type` is optional when an existing property changes, so the value is only validated once the
 * stored type is known.
 */
export const propertyInput = z.strictObject({
  key: propertyKey,
  type: dataType.optional(),
  sensitive: z.boolean().optional(),
  value: z.unknown().optional(),
  /** In a replacement, `true` without a value keeps the stored value. */
  masked: z.boolean().optional(),
  id: z.unknown().optional(),
  version: z.unknown().optional(),
})
export type PropertyInput = z.infer<typeof propertyInput>

export const propertyList = z
  .array(propertyInput)
  .max(maxPropertiesPerEntity, `An entity holds at most ${maxPropertiesPerEntity} properties.`)
  .check((context) => {
    const seen = new Set<string>()
    for (const [index, { key }] of context.value.entries()) {
      if (seen.has(key))
        context.issues.push(
          issueAt(
            [index, 'key'],
            'duplicate_key',
            'This key appears twice. Keys are unique within an entity.',
          ),
        )
      seen.add(key)
    }
  })

const assigned = { id: z.unknown().optional(), created: z.unknown().optional() }

/** Body that creates or replaces an entity. Without `properties`, the entity has none. */
export const entityWrite = z.strictObject({
  type: entityType,
  properties: propertyList.default([]),
  ...assigned,
})
export type EntityWrite = z.infer<typeof entityWrite>

export const entityPatch = z.strictObject({
  type: entityType.optional(),
  properties: propertyList.default([]),
  ...assigned,
})

/** `masked`: sensitive properties are returned without their values, regardless of the caller's scopes. */
export const sensitiveQuery = z.object({
  sensitive: z.literal('masked', 'The only choice is masked; leave the parameter out for values.').optional(),
})

/** Reason, recorded in the event log with the caller. */
const whyRead = text(maxReason).overwrite(trimEnds).min(1, 'Say why the values are needed.')

export const revealRequest = z.strictObject({
  keys: z.array(propertyKey).min(1, 'Name the properties to reveal.').max(maxPropertiesPerEntity),
  reason: whyRead,
  /** Id of the recorded act of reading that this reveal is part of. */
  access: eventId.optional(),
})

export const accessRequest = z.strictObject({ reason: whyRead })

export const maxCheckedKeys = 20

export const checkRequest = z.strictObject({
  keys: z
    .array(propertyKey)
    .min(1, 'Name the properties to check.')
    .max(maxCheckedKeys, `At most ${maxCheckedKeys} keys at a time.`),
  value: text(1000).overwrite(trimEnds).min(1, 'Give the value to compare with.'),
  /** Reason, recorded in the event log with the caller. */
  reason: text(maxReason).overwrite(trimEnds).min(1, 'Say why, or leave the reason out.').optional(),
})

/** The requested properties with their values, in the order of the entity. */
export const revealed = z.looseObject({ properties: z.array(property) })

export const entityEndpoints = {
  listEntities: {
    method: 'GET',
    path: '/users/{user_id}/entities',
    tag: 'Entities',
    summary: "A user's entities, oldest first.",
    needs: ['entities:read'],
    additionalQuery: sensitiveQuery,
    reply: z.array(entity),
    status: [200],
  },
  createEntity: {
    method: 'POST',
    path: '/users/{user_id}/entities',
    tag: 'Entities',
    summary: 'Adds an entity to a user.',
    needs: ['entities:write'],
    body: entityWrite,
    status: [201],
    reasoned: true,
    warns: true,
  },
  getEntity: {
    method: 'GET',
    path: '/users/{user_id}/entities/{entity_id}',
    tag: 'Entities',
    summary: 'One entity.',
    needs: ['entities:read'],
    additionalQuery: sensitiveQuery,
    reply: entity,
    status: [200],
    conditional: true,
  },
  replaceEntity: {
    method: 'PUT',
    path: '/users/{user_id}/entities/{entity_id}',
    tag: 'Entities',
    summary: 'Replaces an entity and its properties completely.',
    needs: ['entities:write'],
    body: entityWrite,
    status: [204],
    reasoned: true,
    warns: true,
    conditional: true,
  },
  patchEntity: {
    method: 'PATCH',
    path: '/users/{user_id}/entities/{entity_id}',
    tag: 'Entities',
    summary: 'Adds properties or changes some; removes none.',
    needs: ['entities:write'],
    body: entityPatch,
    status: [204],
    reasoned: true,
    warns: true,
    conditional: true,
  },
  deleteEntity: {
    method: 'DELETE',
    path: '/users/{user_id}/entities/{entity_id}',
    tag: 'Entities',
    summary: 'Removes an entity with its properties.',
    needs: ['entities:write'],
    status: [204],
    reasoned: true,
    conditional: true,
  },
} as const satisfies Record<string, Endpoint>

/** Endpoints beyond the API document. */
export const entityAdditions = {
  revealProperties: {
    method: 'POST',
    path: '/users/{user_id}/entities/{entity_id}/reveal',
    tag: 'Entities',
    summary: 'Values of sensitive properties, for a reason that the event log keeps.',
    needs: ['entities:read', 'sensitive:read'],
    body: revealRequest,
    reply: revealed,
    status: [200],
    addition: 'sensitive.reveal',
  },
  beginAccess: {
    method: 'POST',
    path: '/users/{user_id}/accesses',
    tag: 'Entities',
    summary:
      'Records, for one reason, that you read all sensitive values of a user. The reads that follow name it as `access`.',
    needs: ['entities:read', 'sensitive:read'],
    body: accessRequest,
    reply: z.looseObject({
      /** Id of the event that records the access; absent if there are no sensitive values. */
      access: eventId.optional(),
    }),
    status: [200],
    addition: 'sensitive.accesses',
  },
  checkValue: {
    method: 'POST',
    path: '/users/{user_id}/check',
    tag: 'Entities',
    summary:
      'Whether a user has this value in one of these sensitive properties, without showing the stored value. The event log keeps who asked.',
    needs: ['entities:read'],
    body: checkRequest,
    reply: z.looseObject({ matches: z.boolean() }),
    status: [200],
    guessing: true,
    addition: 'sensitive.check',
  },
  restoreEntity: {
    method: 'POST',
    path: '/users/{user_id}/entities/{entity_id}/restore',
    tag: 'Entities',
    summary: 'Restores a deleted entity as it was, hidden values included.',
    needs: ['entities:write'],
    status: [204],
    reasoned: true,
    warns: true,
    addition: 'changesets.revert',
  },
  listKeys: {
    method: 'GET',
    path: '/keys',
    tag: 'Entities',
    summary: 'Known property keys with their types, by key; of one entity type when it is given.',
    needs: ['entities:read'],
    query: z.object({ entity: z.string().optional() }),
    reply: z.array(knownKey),
    status: [200],
    addition: 'keys',
  },
} as const satisfies Record<string, Endpoint>
