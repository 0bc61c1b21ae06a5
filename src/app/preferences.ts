import type { Zones } from '../ui/time.ts'

// How somebody likes to read, no data about anybody: the only things that outlive the page.
const zoneKey = 'data-store.zone'
/** Also read by src/boot/first.ts, before the first paint. */
export const schemeKey = 'data-store.scheme'

export function readZonePreference(): Zones['shown'] {
  return localStorage.getItem(zoneKey) === 'local' ? 'local' : 'utc'
}

export function storeZonePreference(zone: Zones['shown']): void {
  localStorage.setItem(zoneKey, zone)
}
