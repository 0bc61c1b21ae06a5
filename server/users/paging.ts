import { createCipheriv, createDecipheriv, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

import { Refusal } from '../http/errors/problem.ts'

const offsetVersion = 1
const tagBytes = 6

/**
 * Encodes the opaque offset of the user list: the last id shown, bound to its segment. Keyset paging costs the same at
 * any depth and never skips or repeats a user who existed throughout.
 */
export function encodeOffset(secret: KeyObject, lastId: string, segment: string | undefined): string {
  const id = Buffer.from(lastId.replaceAll('-', ''), 'hex')
  return Buffer.concat([Buffer.of(offsetVersion), id, tag(secret, id, segment)]).toString('base64url')
}

/**
 * Returns the id to continue after. Throws a Refusal (400) if the offset is damaged, or comes from another list or
 * another service.
 */
export function decodeOffset(secret: KeyObject, offset: string, segment: string | undefined): string {
  const bytes = Buffer.from(offset, 'base64url')
  const id = bytes.subarray(1, 17)
  const known =
    bytes.length === 17 + tagBytes &&
    bytes[0] === offsetVersion &&
    bytes.toString('base64url') === offset &&
    timingSafeEqual(bytes.subarray(17), tag(secret, id, segment))
  if (!known) throw foreign()
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function tag(secret: KeyObject, id: Buffer, segment: string | undefined): Buffer {
  return createHmac('sha256', secret)
    .update(Buffer.of(offsetVersion))
    .update(id)
    .update(segment ?? '')
    .digest()
    .subarray(0, tagBytes)
}

const ivBytes = 12
const sealBytes = 16

/**
 * Encrypts a position in the results of a search as an opaque offset that is bound to this search. It is encrypted
 * because its sort key may be personal data, such as a name or an e-mail. Equal positions give equal offsets: the nonce
 * is derived from the plain text (as in RFC 5297).
 */
export function sealOffset(secret: KeyObject, search: string, place: unknown): string {
  const text = JSON.stringify(place)
  const iv = createHmac('sha256', secret)
    .update(JSON.stringify([search, text]))
    .digest()
    .subarray(0, ivBytes)
  const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(Buffer.from(search))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(offsetVersion), iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Opens a sealed offset. Throws a Refusal (400) if it is damaged, or comes from another search or another service. */
export function openOffset(secret: KeyObject, search: string, offset: string): unknown {
  const bytes = Buffer.from(offset, 'base64url')
  const [iv, seal, sealed] = [bytes.subarray(1, 13), bytes.subarray(13, 29), bytes.subarray(29)]
  if (bytes[0] !== offsetVersion || seal.length !== sealBytes || bytes.toString('base64url') !== offset)
    throw foreign()
  const decipher = createDecipheriv('aes-256-gcm', secret, iv).setAAD(Buffer.from(search)).setAuthTag(seal)
  try {
    return JSON.parse(Buffer.concat([decipher.update(sealed), decipher.final()]).toString())
  } catch {
    throw foreign()
  }
}

export function foreign(): Refusal {
  return new Refusal('invalid_offset', 'This offset is not one of this list. Start again without one.')
}
