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

/** The fields of a user that differ. `since` is written as its data type has it, with the zone that it is meant in. */
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
