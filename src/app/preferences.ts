import { put, sharedStorage } from '../auth/storage.ts'
import type { Zones } from '../ui/time.ts'

// How somebody likes to read, no data about anybody: the only things that outlive the page.
const zoneKey = 'data-store.zone'

export function readZonePreference(): Zones['shown'] {
  return sharedStorage?.getItem(zoneKey) === 'local' ? 'local' : 'utc'
}

export function storeZonePreference(zone: Zones['shown']): void {
  put(sharedStorage, zoneKey, zone)
}
