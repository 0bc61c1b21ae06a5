import type { EarlierReasons } from './EarlierReasons.tsx'

let loaded: typeof EarlierReasons | undefined

/** The input that offers earlier reasons; absent before there is one to offer, and its code is there. */
export function earlierReasons(): typeof EarlierReasons | undefined {
  return loaded
}

/** Where it cannot be read, the field takes what is typed all the same. */
export async function loadEarlierReasons(): Promise<void> {
  try {
    loaded = (await import('./EarlierReasons.tsx')).EarlierReasons
  } catch {
    // Asked for again with the next reason.
  }
}
