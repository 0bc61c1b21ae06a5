import type { Keyring, WrappedKey } from './encryption.ts'
import type { StoredSecrets } from './storage.ts'

/** Prefix of a secret in Standard Webhooks, followed by its bytes in base64. */
const prefix = 'whsec_'

export interface SecretsRow extends StoredSecrets {
  /** Time until which the previous secret also signs, as the database writes it: UTC without a zone. */
  readonly previous_until: string | null
}

/** Makes a secret for a subscription: its text, which is shown to the owner once, and its stored form. */
export function createSecret(keyring: Keyring, subscription: string): { text: string; sealed: Buffer } {
  const { dataKey, stored } = keyring.create(nameOf(subscription))
  return { text: prefix + dataKey.toString('base64'), sealed: packKey(stored) }
}

/**
 * Returns the secrets that sign now: the current one, and the previous one while receivers switch over. Throws a
 * MissingKeyError if a master key is missing from the settings.
 */
export function openSecrets(keyring: Keyring, row: SecretsRow): readonly Buffer[] {
  const { id, secret, previous_secret: previous, previous_until: until } = row
  const alsoPrevious = previous && until && Date.parse(`${until.replace(' ', 'T')}Z`) > Date.now()
  return [secret, ...(alsoPrevious ? [previous] : [])].map((sealed) =>
    keyring.unwrap(nameOf(id), unpackKey(sealed)),
  )
}

/** Wraps the same secrets with the current master key. */
export function rewrapSecrets(
  keyring: Keyring,
  { id, secret, previous_secret: previous }: StoredSecrets,
): StoredSecrets {
  const rewrap = (sealed: Buffer) => packKey(keyring.rewrap(nameOf(id), unpackKey(sealed)))
  return { id, secret: rewrap(secret), previous_secret: previous && rewrap(previous) }
}

/** Returns the ids of the master keys that the secrets need. */
export function mastersOf({ secret, previous_secret: previous }: StoredSecrets): string[] {
  return [secret, ...(previous ? [previous] : [])].map((sealed) => unpackKey(sealed).master)
}

/** Name that a secret is sealed for, so that it cannot be opened in another subscription's row. */
const nameOf = (subscription: string) => `webhook secret ${subscription}`

// Packs a wrapped secret into one column: length and name of the master key, then the wrapped bytes.
function packKey({ master, wrapped }: WrappedKey): Buffer {
  const name = Buffer.from(master)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(name.length)
  return Buffer.concat([length, name, wrapped])
}

function unpackKey(sealed: Buffer): WrappedKey {
  const end = 2 + sealed.readUInt16BE(0)
  return { master: sealed.toString('utf8', 2, end), wrapped: sealed.subarray(end) }
}
