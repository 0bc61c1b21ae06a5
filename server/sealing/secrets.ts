import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

import type { Handle } from '../store/sql.ts'
import { type Keyring, MissingKeyError } from './encryption.ts'
import type { MasterKey } from './master-keys.ts'
import { insertServiceKey, serviceKeys } from './storage.ts'

const purposes = ['invitation', 'paging', 'search', 'etag', 'idempotency', 'log'] as const
type Purpose = (typeof purposes)[number]

/**
 * Keys for one purpose each: 32 bytes. An HMAC takes 36 µs under a key that is given as bytes, and 6 under a key object
 * (Node 24.21).
 */
export type Secrets = Readonly<Record<Purpose, KeyObject>>

/** RFC 5869. One leaked purpose tells nothing of another, nor of the master key. */
export function deriveSecrets({ key }: MasterKey): Secrets {
  const derive = (purpose: Purpose) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `data-store ${purpose}`, 32)))
  return ofAllPurposes(derive)
}

/**
 * The secrets as the store keeps them, wrapped: master keys come and go, and what was given out (invitations, offsets,
 * `ETag`s) stays valid. The first opening stores those derived from the master key of that moment, which are the ones
 * that a store from before had. While a wrapped secret cannot be opened, the derived one stands in for it.
 */
export async function readSecrets(database: Handle, keyring: Keyring, derived: Secrets): Promise<Secrets> {
  // Only what is missing: a store whose disk is full opens too, and is read.
  const there = new Set((await serviceKeys(database, purposes)).map(({ name }) => name))
  for (const name of purposes.filter((each) => !there.has(each)))
    await insertServiceKey(database, { name, ...keyring.wrap(name, derived[name].export()) })
  const stored = new Map((await serviceKeys(database, purposes)).map((row) => [row.name, row]))
  return ofAllPurposes((purpose) => {
    const row = stored.get(purpose)
    if (!row) return derived[purpose]
    try {
      return createSecretKey(keyring.unwrap(purpose, row))
    } catch (error) {
      if (error instanceof MissingKeyError) return derived[purpose]
      throw error
    }
  })
}

const ofAllPurposes = (secretOf: (purpose: Purpose) => KeyObject) =>
  Object.fromEntries(purposes.map((purpose) => [purpose, secretOf(purpose)])) as unknown as Secrets
