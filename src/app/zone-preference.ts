import { put, sharedStorage } from '../auth/storage.ts'
import type { Zones } from '../ui/time.ts'

// A preference of the reader. It contains no data about any person, so it may stay in the browser.
const zoneKey = 'data-store.zone'

export function readZonePreference(): Zones['shown'] {
  return sharedStorage?.getItem(zoneKey) === 'local' ? 'local' : 'utc'
}

export function storeZonePreference(zone: Zones['shown']): void {
  put(sharedStorage, zoneKey, zone)
}
