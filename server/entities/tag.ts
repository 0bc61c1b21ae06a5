import type { KeyObject } from 'node:crypto'

import { entityTag } from '../http/headers/etag.ts'
import type { EntityRow } from './storage.ts'

/** Returns the `ETag` of an entity, which covers everything that can be edited. */
export function tagOfEntity(secret: KeyObject, { id, type, properties, sealed }: EntityRow): string {
  return entityTag(secret, [id, type, properties, sealed])
}
