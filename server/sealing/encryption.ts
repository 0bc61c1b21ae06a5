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

/** A data key as it is stored: readable only with the master key that it names. */
export interface WrappedKey {
  readonly master: string
  readonly wrapped: Buffer
}

/** Place that a sealed value is bound to. In any other place it does not open. */
export interface SealedPlace {
  readonly user: string
  /** Absent: a field of the user's own. */
  readonly entity?: string | undefined
  readonly key: string
  readonly type: string
  /** Absent: the value as it stands now. */
  readonly changeset?: { readonly id: string; readonly side: 'before' | 'after' | 'reason' } | undefined
}

/** A master key that stored data needs is not among the settings. */
export class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError'
  /** Code in the style of database drivers: the HTTP layer chooses the answer by it. */
  readonly code = 'MISSING_MASTER_KEY'
  constructor(id: string) {
    super(`The master key "${id}" is needed and is not among ENCRYPTION_KEYS.`)
  }
}

/** Version of the sealed form: its first byte, and part of the authenticated context. */
const sealVersion = 1
const ivBytes = 12
const tagBytes = 16
const dataKeyBytes = 32

/** The master keys: the first one wraps, all of them unwrap. */
export class Keyring {
  #keys: ReadonlyMap<string, Buffer> = new Map()
  #current = ''

  constructor(keys: MasterKeys) {
    this.replace(keys)
  }

  /** From now on these are the keys: everybody who wraps or unwraps asks for them anew. */
  replace(keys: MasterKeys): void {
    // A master key serves several purposes (secrets.ts); none of them shares its key with another.
    this.#keys = new Map(
      keys.map(({ id, key }) => [
        id,
        Buffer.from(hkdfSync('sha256', key, '', 'data-store key wrapping', 32)),
      ]),
    )
    this.#current = keys[0].id
  }

  /** Id of the key that wraps. */
  get current(): string {
    return this.#current
  }

  get ids(): readonly string[] {
    return [...this.#keys.keys()]
  }

  /** A new data key for a user, or for what else is named, and its stored form. */
  create(user: string): { readonly dataKey: Buffer; readonly stored: WrappedKey } {
    const dataKey = randomBytes(dataKeyBytes)
    return { dataKey, stored: this.wrap(user, dataKey) }
  }

  /** Throws a MissingKeyError, or an Error where the stored form was altered or is another user's. */
  unwrap(user: string, { master, wrapped }: WrappedKey): Buffer {
    return open(this.#key(master), wrapped, wrapContext(user, master))
  }

  /** Wraps the same data key with the current master key. */
  rewrap(user: string, stored: WrappedKey): WrappedKey {
    return this.wrap(user, this.unwrap(user, stored))
  }

  /** The stored form of a key that is there already. */
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

/** A JSON value, sealed for its place under the data key of its user: base64. AES-256-GCM, a random 96-bit IV each. */
export function sealValue(dataKey: Buffer | undefined, place: SealedPlace, value: unknown): string {
  return seal(requireDataKey(dataKey), Buffer.from(JSON.stringify(value)), placeContext(place)).toString(
    'base64',
  )
}

/** How long a value is when it is sealed. */
export function sealedLength(value: unknown): number {
  const bytes = 1 + ivBytes + tagBytes + Buffer.byteLength(JSON.stringify(value))
  return Math.ceil(bytes / 3) * 4
}

/** Throws where the sealed value was altered, or belongs to another place or user. */
export function openValue(dataKey: Buffer | undefined, place: SealedPlace, sealed: string): unknown {
  return JSON.parse(
    open(requireDataKey(dataKey), Buffer.from(sealed, 'base64'), placeContext(place)).toString(),
  )
}

function requireDataKey(dataKey: Buffer | undefined): Buffer {
  if (!dataKey) throw new Error('A user with sensitive values has no data key.')
  return dataKey
}

// Contexts are JSON arrays: with a separator two different places could yield the same text.
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

/** Node 24.21 takes 12 µs to take in a key that is given as bytes, and 1 µs for a key object: made once for each. */
export function keyObject(key: Buffer): KeyObject {
  const made = keyObjects.get(key) ?? createSecretKey(key)
  keyObjects.set(key, made)
  return made
}

/** Random bytes are asked for in lots: each time costs 3 µs, however few. No part is given out twice. */
const randomLot = Buffer.alloc(256 * ivBytes)
let givenOut = randomLot.length
function newIv(): Buffer {
  if (givenOut === randomLot.length) {
    randomFillSync(randomLot)
    givenOut = 0
  }
  return Buffer.from(randomLot.subarray(givenOut, (givenOut += ivBytes)))
}

/** version · IV · tag · ciphertext */
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
