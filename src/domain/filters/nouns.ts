import { aThing, things } from '../../messages/en/segments.ts'

/** The noun of an entity type: "a car" (one), "cars" (counted), "an entity of type race horse" (one). */
export function nounOf(type: string, form: 'one' | 'counted', count = 1): string {
  if (form === 'one') return aThing(type)
  return things(count === 1 ? '1' : '', type)
    .replace(/^1/, '')
    .trim()
}
