import type { KeyObject } from 'node:crypto'

import { entityTag } from '../http/headers/etag.ts'
import type { EntityRow } from './storage.ts'

/** The `ETag` of an entity: of all that can be edited of it. */
export function tagOfEntity(secret: KeyObject, { id, type, properties, sealed }: EntityRow): string {
  return entityTag(secret, [id, type, properties, sealed])
}
