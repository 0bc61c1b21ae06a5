import { opOf, type RecordedChange } from '../changesets/changes.ts'
import type { UserFields } from './storage.ts'

const userFieldTypes = {
  email: 'EMAIL',
  name: 'TEXT',
  ref: 'TEXT',
  since: 'DATETIME',
  account: 'BOOLEAN',
} as const

type RecordedFields = Partial<UserFields & { account: boolean }>

/**
 * Returns the fields of a user that differ. `since` is written in the form of its data type, with `Z`, because it is
 * stored as UTC without a zone.
 */
export function userChanges(before: RecordedFields, after: RecordedFields): RecordedChange[] {
  const changes: RecordedChange[] = []
  for (const [key, type] of Object.entries(userFieldTypes)) {
    const valueOf = (fields: RecordedFields) => {
      const value = fields[key as keyof RecordedFields] ?? undefined
      return key === 'since' && value !== undefined ? `${value}Z` : value
    }
    const [then, now] = [valueOf(before), valueOf(after)]
    if (then === now) continue
    changes.push({
      op: opOf(then, now),
      key,
      type,
      sensitive: false,
      ...(then !== undefined && { before: then }),
      ...(now !== undefined && { after: now }),
    })
  }
  return changes
}
