import { labelWithType } from '../../domain/labels.ts'
import { jobsText } from '../../messages/index.ts'

/** Names a field of the user, or a property among those of all types. */
export function importLabel(entity: string | undefined, key: string): string {
  const fields: Readonly<Record<string, string>> = jobsText.import.fields
  return entity === undefined ? (fields[key] ?? key) : labelWithType(entity, key)
}
