/** Returns a storage of the browser; undefined if it is disabled. */
function available(find: () => Storage): Storage | undefined {
  try {
    const storage = find()
    const probe = 'data-store.probe'
    storage.setItem(probe, '')
    storage.removeItem(probe)
    return storage
  } catch {
    return undefined
  }
}

/** Storage of this tab. A duplicated tab begins with a copy of it. */
export const tabStorage = available(() => sessionStorage)
/** Storage shared by all tabs. */
export const sharedStorage = available(() => localStorage)

/** Stores a value. Returns false if the storage is full or disabled. */
export function put(storage: Storage | undefined, key: string, value: string): boolean {
  try {
    storage?.setItem(key, value)
    return storage !== undefined
  } catch {
    return false
  }
}
