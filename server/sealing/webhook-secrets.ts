import type { Keyring, WrappedKey } from './encryption.ts'
import type { StoredSecrets } from './storage.ts'

/** Standard Webhooks writes a secret so: this, then its bytes in base64. */
const prefix = 'whsec_'

export interface SecretsRow extends StoredSecrets {
  /** Until when the one before signs too, as the database writes it: UTC without a zone. */
  readonly previous_until: string | null
}

/** A new secret of a subscription: as its owner is told it, once, and as it is stored. */
export function createSecret(keyring: Keyring, subscription: string): { text: string; sealed: Buffer } {
  const { dataKey, stored } = keyring.create(nameOf(subscription))
  return { text: prefix + dataKey.toString('base64'), sealed: packKey(stored) }
}

/**
 * Secrets that sign now: the current one, and the previous one while receivers switch over. Throws a MissingKeyError if
 * a master key is not among the settings.
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

/** Ids of the master keys that they need. */
export function mastersOf({ secret, previous_secret: previous }: StoredSecrets): string[] {
  return [secret, ...(previous ? [previous] : [])].map((sealed) => unpackKey(sealed).master)
}

/** Name that a sealed secret is bound to: it does not open in another subscription's row. */
const nameOf = (subscription: string) => `webhook secret ${subscription}`

// In one column: the master key's name behind its length, then the wrapped secret.
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
