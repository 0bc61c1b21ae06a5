import { useCallback, useMemo, useSyncExternalStore } from 'react'

import { put, sharedStorage } from '../auth/storage.ts'
import { usePerson } from '../auth/use-session.ts'
import { useSettings } from './settings-context.ts'

const listeners = new Set<() => void>()

type Change = (before: readonly unknown[]) => readonly unknown[]

/**
 * Data that this browser keeps for one person, in sync between their tabs and across reloads. Data of another person is
 * not read, and overwritten. `keep` changes the latest data, which another tab may have written; absent where nothing
 * can be kept, or must not be, as on a computer that several people share.
 */
export function useKept(storageKey: string) {
  const { subject } = usePerson()
  const keeps = useSettings().session === 'tab' && sharedStorage !== undefined
  const stored = () => (keeps ? (sharedStorage?.getItem(storageKey) ?? '') : '')
  const text = useSyncExternalStore(onChange, stored)
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

/** `storage` tells what other tabs do, not what this one does. */
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
    // Absent or malformed data.
    return []
  }
}

/**
 * Tells people of one browser apart without the subject itself, which may be a name. No secret: who has all subjects can try
 * them.
 */
function markOf(subject: string): string {
  let mark = 0x81_1c_9d_c5
  for (const character of subject) mark = Math.imul(mark ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93)
  return (mark >>> 0).toString(36)
}
