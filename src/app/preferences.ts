import { put, sharedStorage } from '../auth/storage.ts'
import type { Zones } from '../ui/time.ts'

// Preferences of the reader. They contain no data about any person, so they may stay in the browser.
const zoneKey = 'data-store.zone'
const keysKey = 'data-store.keys'

export function readZonePreference(): Zones['shown'] {
  return sharedStorage?.getItem(zoneKey) === 'local' ? 'local' : 'utc'
}

export function storeZonePreference(zone: Zones['shown']): void {
  put(sharedStorage, zoneKey, zone)
}

/** Whether single-letter keys are on. Spoken words would trigger them, so people who use speech input turn them off. */
export function areKeysOn(): boolean {
  return sharedStorage?.getItem(keysKey) !== 'off'
}

export function storeKeysOn(areOn: boolean): void {
  put(sharedStorage, keysKey, areOn ? 'on' : 'off')
  showKeysOn()
}

/** Applies the setting of single keys to the page: `KeyHint` hides them while they are off. */
export function showKeysOn(): void {
  document.documentElement.toggleAttribute('data-no-single-keys', !areKeysOn())
}
