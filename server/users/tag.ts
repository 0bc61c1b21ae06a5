import type { KeyObject } from 'node:crypto'

import { unknownEmail, unknownName } from '#contract/index.ts'
import { entityTag } from '../http/headers/etag.ts'
import type { UserFields } from './storage.ts'

/**
 * Returns the `ETag` of a user. It covers only the fields that a caller edits: an accepted or re-sent invitation must not
 * conflict with an edit.
 */
export function tagOfUser(secret: KeyObject, id: string, { email, name, ref, since }: UserFields): string {
  return entityTag(secret, [id, email ?? unknownEmail, name ?? unknownName, ref, since])
}
