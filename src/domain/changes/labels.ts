import type { Changeset } from '#contract/index.ts'
import { userText } from '../../messages/index.ts'
import { propertyLabel } from '../labels.ts'

/** Returns the label of a user's own field. A field unknown to the console, as from another service, keeps its key. */
export function fieldName(key: string): string {
  return (userText.columns as Readonly<Record<string, string>>)[key] ?? key
}

/** Whether a write changed a user's own fields rather than an entity. */
export function isOfUser({ entity }: Pick<Changeset, 'entity'>): boolean {
  return entity === undefined || entity === null
}

export function changeLabel(changeset: Pick<Changeset, 'entity' | 'entityType'>, key: string): string {
  return isOfUser(changeset) ? fieldName(key) : propertyLabel(changeset.entityType, key)
}
