import { put, sharedStorage } from '../../auth/storage.ts'

// A preference of the reader. It contains no data about any person, so it may stay in the browser.
const keysKey = 'data-store.keys'

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
