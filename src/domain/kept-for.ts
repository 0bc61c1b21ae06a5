import { useCallback, useMemo, useSyncExternalStore } from 'react'

import { put, sharedStorage } from '../auth/storage.ts'
import { usePerson } from '../auth/use-session.ts'
import { useSettings } from './settings-context.ts'

const listeners = new Set<() => void>()

type Change = (before: readonly unknown[]) => readonly unknown[]

/**
 * Returns data that this browser stores for one person, synced across tabs and kept across reloads. Another person's
 * data is ignored and overwritten. `keep` changes the latest data, even if another tab wrote it. `keep` is undefined
 * if the browser has no storage or must not keep data, as on a shared computer.
 */
export function useKept(storageKey: string) {
  const { subject } = usePerson()
  const keeps = useSettings().session === 'tab' && sharedStorage !== undefined
  const readStored = () => (keeps ? (sharedStorage?.getItem(storageKey) ?? '') : '')
  const text = useSyncExternalStore(onChange, readStored)
  const kept = useMemo(() => readKept(text, subject), [text, subject])
  const keep = useCallback(
    (change: Change) => {
      const before = readKept(sharedStorage?.getItem(storageKey) ?? '', subject)
      put(sharedStorage, storageKey, JSON.stringify({ by: markOf(subject), kept: change(before) }))
      for (const listener of listeners) listener()
    },
    [storageKey, subject],
  )
  return { kept, keep: keeps ? keep : undefined }
}

/** The `storage` event reports changes by other tabs only; `listeners` covers this tab. */
function onChange(listener: () => void) {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}

function readKept(text: string, subject: string): readonly unknown[] {
  try {
    const { by, kept } = JSON.parse(text) as Record<string, unknown>
    return by === markOf(subject) && Array.isArray(kept) ? kept : []
  } catch {
    // The data is absent or malformed.
    return []
  }
}

/** Hash stored instead of the subject, which may be a name. No secret: anybody with a list of subjects can try them. */
function markOf(subject: string): string {
  let mark = 0x81_1c_9d_c5
  for (const character of subject) mark = Math.imul(mark ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93)
  return (mark >>> 0).toString(36)
}
