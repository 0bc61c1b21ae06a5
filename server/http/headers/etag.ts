import { createHmac, type KeyObject } from 'node:crypto'

import { Refusal } from '../errors/problem.ts'

const digestOf = (secret: KeyObject, text: string | Buffer, length: number) =>
  createHmac('sha256', secret).update(text).digest('base64url').slice(0, length)

const stateLength = 27
const answerLength = 11

/**
 * Returns the entity tag of a state, covering its editable content. Keyed, so that nobody can find out a value they
 * may not read by hashing guesses.
 */
export function entityTag(secret: KeyObject, content: unknown): string {
  return `"${digestOf(secret, JSON.stringify(content), stateLength)}"`
}

/**
 * Returns the strong tag (RFC 9110, section 8.8.3) of one answer: that of the state, plus a part that distinguishes
 * answers with the same state, for example masked ones. `If-Match` compares the state, `If-None-Match` the answer.
 */
export function answerTag(secret: KeyObject, state: string, body: string | Buffer): string {
  const known = typeof body === 'string' ? undefined : documentDigests.get(body)
  const digest = known ?? digestOf(secret, body, answerLength)
  if (typeof body !== 'string') documentDigests.set(body, digest)
  return `${state.slice(0, -1)}.${digest}"`
}

/** Digests of documents that never change, which may be large. */
const documentDigests = new WeakMap<Buffer, string>()

/** Returns the tag of a compressed answer: other bytes need another strong tag. */
export const tagOfCoding = (tag: string, coding: string) => `${tag.slice(0, -1)}-${coding}"`

/**
 * Whether a tag is `ours`, even if a compressing proxy has rewritten it: as weak (nginx, CDNs), or with the coding
 * inside the quotes (Apache, Caddy, Jetty). All spellings are equivalent, because they differ only in the coding, not
 * in the content. `end` matches what may replace the closing quote of `ours`.
 */
function isSpelling(tag: string, ours: string, end: RegExp): boolean {
  const strong = tag.replace(/^W\//, '')
  const open = ours.slice(0, -1)
  return strong.startsWith(open) && end.test(strong.slice(open.length))
}

const coding = String.raw`(?:[-;:]{1,2}(?:x-)?[a-z]{2,8})?"$`
const endOfAnswer = new RegExp(`^${coding}`)
const endOfState = new RegExp(String.raw`^(?:\.[\w-]{${answerLength}})?${coding}`)

/** Returns a version of a sealed value, by which callers who may not read it can notice a change. */
export function versionOfSealed(secret: KeyObject, sealed: string): string {
  return digestOf(secret, sealed, 16)
}

/**
 * Returns the tags of an If-Match header, weak ones as `W/"…"`; undefined without the header. Throws a Refusal (400).
 */
export function readIfMatch(header: string | undefined): '*' | readonly string[] | undefined {
  if (header === undefined) return undefined
  const tags = readTags(header)
  if (tags) return tags
  throw new Refusal(
    'invalid_if_match',
    'Send If-Match as the ETag that was answered, in its quotes. Nothing was changed.',
  )
}

/** Parses a list of tags; undefined if it is malformed. */
function readTags(header: string): '*' | readonly string[] | undefined {
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
  return undefined
}

/** Whether an If-None-Match header names the answer; a malformed header is ignored. */
export function isKnown(header: string | undefined, answered: string): boolean {
  const tags = header === undefined ? undefined : readTags(header)
  return tags === '*' || tags?.some((tag) => isSpelling(tag, answered, endOfAnswer)) === true
}

/** Throws a Refusal (412) with the current tag if the resource exists; `''` if it has no tag. */
export function requireMissing(current: string | undefined): void {
  if (current !== undefined)
    throw new Refusal(
      'stale',
      'This is there already, and If-None-Match: * asks to write only what is not. Nothing was changed.',
      current === '' ? {} : { headers: { etag: current } },
    )
}

/**
 * Throws a Refusal (412) with the current tag unless `expected` contains it. `current` is the tag of a state;
 * undefined if the resource does not exist, so that nothing matches.
 */
export function requireMatch(expected: '*' | readonly string[], current: string | undefined): void {
  const isCurrent = (tag: string) => current !== undefined && isSpelling(tag, current, endOfState)
  if (expected === '*' ? current !== undefined : expected.some(isCurrent)) return
  throw new Refusal(
    'stale',
    'This has changed since you read it with this ETag. Nothing was changed; read it again.',
    current === undefined ? {} : { headers: { etag: current } },
  )
}
