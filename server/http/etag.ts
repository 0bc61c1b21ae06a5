import { createHmac, type KeyObject } from 'node:crypto'

import { Refusal } from './problem.ts'

/**
 * A strong entity tag (RFC 9110 section 8.8.3) of content that can be edited. Keyed: nobody can find out a value that
 * they may not read by hashing guesses.
 */
export function entityTag(secret: KeyObject, content: unknown): string {
  const digest = createHmac('sha256', secret).update(JSON.stringify(content)).digest('base64url')
  return `"${digest.slice(0, 27)}"`
}

/** Tells one writing of a sealed value from another, to those who may not read it. */
export function sealedVersion(secret: KeyObject, sealed: string): string {
  return createHmac('sha256', secret).update(sealed).digest('base64url').slice(0, 16)
}

/** The tags of an If-Match header, weak ones as `W/"…"`; `undefined` without one. Throws a Refusal (400). */
export function readIfMatch(header: string | undefined): '*' | readonly string[] | undefined {
  if (header === undefined) return undefined
  if (header.trim() === '*') return '*'
  const tags: string[] = []
  // RFC 9110 section 5.6.1: a list may hold empty elements.
  const element = /[ \t]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")?[ \t]*(?:,|$)/y
  while (element.lastIndex < header.length) {
    const found = element.exec(header)
    if (!found) break
    if (found[1] !== undefined) tags.push(found[1])
    if (element.lastIndex === header.length && tags.length > 0) return tags
  }
  throw new Refusal(
    'invalid_if_match',
    'Send If-Match as the ETag that was answered, in its quotes. Nothing was changed.',
  )
}

/**
 * Throws a Refusal (412) with the current tag unless it is one of those; a weak tag never is (strong comparison).
 * `undefined`: it is not there, so that nothing matches.
 */
export function requireMatch(expected: '*' | readonly string[], current: string | undefined): void {
  if (current !== undefined && (expected === '*' || expected.includes(current))) return
  throw new Refusal(
    'stale',
    'It has been changed since it was read with this ETag. Nothing was changed; read it again.',
    current === undefined ? {} : { headers: { etag: current } },
  )
}
