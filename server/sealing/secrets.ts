import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

import type { Handle } from '../store/sql.ts'
import { type Keyring, MissingKeyError } from './encryption.ts'
import type { MasterKey } from './master-keys.ts'
import { insertServiceKey, serviceKeys } from './storage.ts'

const purposes = ['invitation', 'paging', 'search', 'etag', 'idempotency', 'log'] as const
type Purpose = (typeof purposes)[number]

/**
 * Keys of 32 bytes, one for each purpose. An HMAC takes 36 µs with a key given as bytes, 6 µs with a key object (Node
 * 24.21).
 */
export type Secrets = Readonly<Record<Purpose, KeyObject>>

/** Derives one key for each purpose (RFC 5869). A leaked key reveals neither another one nor the master key. */
export function deriveSecrets({ key }: MasterKey): Secrets {
  const derive = (purpose: Purpose) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `data-store ${purpose}`, 32)))
  return ofAllPurposes(derive)
}

/**
 * Reads the secrets, which the store keeps wrapped: issued invitations, offsets and `ETag`s stay valid when the master
 * key changes. The first opening stores the secrets derived from the current master key, which older stores used
 * directly. While the master key of a wrapped secret is missing, the derived secret stands in for it.
 */
export async function readSecrets(database: Handle, keyring: Keyring, derived: Secrets): Promise<Secrets> {
  // Writes only missing secrets, so that a store with a full disk can still be opened for reading.
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
