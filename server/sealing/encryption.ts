import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomFillSync,
} from 'node:crypto'

import type { MasterKeys } from './master-keys.ts'

/** A data key as stored: it can be unwrapped only with the master key that it names. */
export interface WrappedKey {
  readonly master: string
  readonly wrapped: Buffer
}

/** Place that a sealed value is bound to; the value cannot be opened in any other place. */
export interface SealedPlace {
  readonly user: string
  /** Undefined for a field of the user itself. */
  readonly entity?: string | undefined
  readonly key: string
  readonly type: string
  /** Undefined for the current value. */
  readonly changeset?: { readonly id: string; readonly side: 'before' | 'after' | 'reason' } | undefined
}

/** Error for a master key that stored data needs but the settings lack. */
export class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError'
  /** Code in the style of database drivers; the HTTP layer maps it to an answer. */
  readonly code = 'MISSING_MASTER_KEY'
  constructor(id: string) {
    super(`The master key "${id}" is needed and is not among ENCRYPTION_KEYS.`)
  }
}

/** Version of the sealed format: its first byte, and part of the authenticated context. */
const sealVersion = 1
const ivBytes = 12
const tagBytes = 16
const dataKeyBytes = 32

/** The master keys. The first one wraps new data keys; all of them unwrap. */
export class Keyring {
  #keys: ReadonlyMap<string, Buffer> = new Map()
  #masters: MasterKeys
  #current = ''
  /** Functions that are told of new master keys. */
  readonly followers = new Set<(keys: MasterKeys) => void>()

  constructor(keys: MasterKeys) {
    this.#masters = keys
    this.replace(keys)
  }

  /** Replaces the master keys; every later wrap or unwrap uses the new ones. */
  replace(keys: MasterKeys): void {
    // Wrapping keys are derived, because a master key serves several purposes (secrets.ts) and each has a key of its
    // own.
    this.#keys = new Map(
      keys.map(({ id, key }) => [
        id,
        Buffer.from(hkdfSync('sha256', key, '', 'data-store key wrapping', 32)),
      ]),
    )
    this.#masters = keys
    this.#current = keys[0].id
    for (const follow of this.followers) follow(keys)
  }

  get masters(): MasterKeys {
    return this.#masters
  }

  /** Id of the master key that wraps new keys. */
  get current(): string {
    return this.#current
  }

  get ids(): readonly string[] {
    return [...this.#keys.keys()]
  }

  /** Makes a data key for a user, or for another named owner, and its stored form. */
  create(user: string): { readonly dataKey: Buffer; readonly stored: WrappedKey } {
    const dataKey = randomBytes(dataKeyBytes)
    return { dataKey, stored: this.wrap(user, dataKey) }
  }

  /**
   * Unwraps a data key. Throws a MissingKeyError, or an Error if the stored form was altered or belongs to another
   * user.
   */
  unwrap(user: string, { master, wrapped }: WrappedKey): Buffer {
    return open(this.#key(master), wrapped, wrapContext(user, master))
  }

  /** Wraps the same data key with the current master key. */
  rewrap(user: string, stored: WrappedKey): WrappedKey {
    return this.wrap(user, this.unwrap(user, stored))
  }

  /** Wraps an existing data key for storage. */
  wrap(user: string, dataKey: Buffer): WrappedKey {
    const { current } = this
    return { master: current, wrapped: seal(this.#key(current), dataKey, wrapContext(user, current)) }
  }

  #key(id: string): Buffer {
    const key = this.#keys.get(id)
    if (!key) throw new MissingKeyError(id)
    return key
  }
}

/** Seals a JSON value for its place under the user's data key, as base64. AES-256-GCM with a random 96-bit IV. */
export function sealValue(dataKey: Buffer | undefined, place: SealedPlace, value: unknown): string {
  return seal(requireDataKey(dataKey), Buffer.from(JSON.stringify(value)), placeContext(place)).toString(
    'base64',
  )
}

/** Returns the length of a value once it is sealed. */
export function sealedLength(value: unknown): number {
  const bytes = 1 + ivBytes + tagBytes + Buffer.byteLength(JSON.stringify(value))
  return Math.ceil(bytes / 3) * 4
}

/** Opens a sealed value. Throws if it was altered, or belongs to another place or user. */
export function openValue(dataKey: Buffer | undefined, place: SealedPlace, sealed: string): unknown {
  return JSON.parse(
    open(requireDataKey(dataKey), Buffer.from(sealed, 'base64'), placeContext(place)).toString(),
  )
}

/** Seals bytes for a place of a key's owner. */
export function sealBytes(dataKey: Buffer, place: SealedPlace, plain: Buffer): Buffer {
  return seal(dataKey, plain, placeContext(place))
}

/** Opens bytes that `sealBytes` has sealed for the same place. */
export function openBytes(dataKey: Buffer, place: SealedPlace, sealed: Buffer): Buffer {
  return open(dataKey, sealed, placeContext(place))
}

function requireDataKey(dataKey: Buffer | undefined): Buffer {
  if (!dataKey) throw new Error('A user with sensitive values has no data key.')
  return dataKey
}

// Contexts are JSON arrays; with a plain separator, two different places could yield the same text.
const wrapContext = (user: string, master: string) =>
  Buffer.from(JSON.stringify([sealVersion, 'data key', user, master]))
const placeContext = ({ user, entity, key, type, changeset }: SealedPlace) =>
  Buffer.from(
    JSON.stringify([
      sealVersion,
      'value',
      user,
      entity ?? '',
      key,
      type,
      changeset?.id ?? '',
      changeset?.side ?? '',
    ]),
  )

const keyObjects = new WeakMap<Buffer, KeyObject>()

/** Returns the cached key object of a key. Using a key costs 12 µs as bytes, 1 µs as a key object (Node 24.21). */
export function keyObject(key: Buffer): KeyObject {
  const made = keyObjects.get(key) ?? createSecretKey(key)
  keyObjects.set(key, made)
  return made
}

/**
 * Buffer of random bytes for IVs, filled in batches because each request for random bytes costs 3 µs, however few. No
 * part is used twice.
 */
const randomLot = Buffer.alloc(256 * ivBytes)
let givenOut = randomLot.length
function newIv(): Buffer {
  if (givenOut === randomLot.length) {
    randomFillSync(randomLot)
    givenOut = 0
  }
  return Buffer.from(randomLot.subarray(givenOut, (givenOut += ivBytes)))
}

/** Returns version · IV · tag · ciphertext. */
function seal(key: Buffer, plain: Buffer, context: Buffer): Buffer {
  const iv = newIv()
  const cipher = createCipheriv('aes-256-gcm', keyObject(key), iv, { authTagLength: tagBytes }).setAAD(
    context,
  )
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.of(sealVersion), iv, cipher.getAuthTag(), body])
}

function open(key: Buffer, sealed: Buffer, context: Buffer): Buffer {
  if (sealed[0] !== sealVersion || sealed.length < 1 + ivBytes + tagBytes)
    throw new Error('A sealed value is damaged or of an unknown version.')
  const iv = sealed.subarray(1, 1 + ivBytes)
  const tag = sealed.subarray(1 + ivBytes, 1 + ivBytes + tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', keyObject(key), iv, { authTagLength: tagBytes })
    .setAAD(context)
    .setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(1 + ivBytes + tagBytes)), decipher.final()])
}
