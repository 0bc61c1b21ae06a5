import { createHmac, type KeyObject } from 'node:crypto'

import { Refusal } from '../problem.ts'

const digestOf = (secret: KeyObject, text: string, length: number) =>
  createHmac('sha256', secret).update(text).digest('base64url').slice(0, length)

const stateLength = 27
const answerLength = 11

/**
 * The entity tag of a state: of content that can be edited. Keyed: nobody can find out a value that they may not read by
 * hashing guesses.
 */
export function entityTag(secret: KeyObject, content: unknown): string {
  return `"${digestOf(secret, JSON.stringify(content), stateLength)}"`
}

/**
 * The strong tag (RFC 9110 section 8.8.3) of one answer: that of the state, and within it what tells this answer from
 * others of the same state, such as one with masked values. `If-Match` asks for the state, `If-None-Match` for the answer.
 */
export function answerTag(secret: KeyObject, state: string, body: string): string {
  return `${state.slice(0, -1)}.${digestOf(secret, body, answerLength)}"`
}

/** The tag of the same answer in a coding: other bytes, so another strong tag. */
export const tagOfCoding = (tag: string, coding: string) => `${tag.slice(0, -1)}-${coding}"`

/**
 * Whether it is a tag of ours, however a proxy that compresses has written it on the way: weak (nginx, CDNs), or with the
 * coding inside the quotes (Apache, Caddy, Jetty). The tag is made from content and never from its coding, so all of them
 * say the same. `end`: how it may go on after ours.
 */
function isSpelling(tag: string, ours: string, end: RegExp): boolean {
  const strong = tag.replace(/^W\//, '')
  const open = ours.slice(0, -1)
  return strong.startsWith(open) && end.test(strong.slice(open.length))
}

const coding = String.raw`(?:[-;:]{1,2}(?:x-)?[a-z]{2,8})?"$`
const endOfAnswer = new RegExp(`^${coding}`)
const endOfState = new RegExp(String.raw`^(?:\.[\w-]{${answerLength}})?${coding}`)

/** Tells one writing of a sealed value from another, to those who may not read it. */
export function versionOfSealed(secret: KeyObject, sealed: string): string {
  return digestOf(secret, sealed, 16)
}

/** The tags of an If-Match header, weak ones as `W/"…"`; `undefined` without one. Throws a Refusal (400). */
export function readIfMatch(header: string | undefined): '*' | readonly string[] | undefined {
  if (header === undefined) return undefined
  const tags = readTags(header)
  if (tags) return tags
  throw new Refusal(
    'invalid_if_match',
    'Send If-Match as the ETag that was answered, in its quotes. Nothing was changed.',
  )
}

/** `undefined`: malformed. */
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

/** Whether an If-None-Match header names the answer that would be given; a malformed one asks for nothing. */
export function isKnown(header: string | undefined, answered: string): boolean {
  const tags = header === undefined ? undefined : readTags(header)
  return tags === '*' || tags?.some((tag) => isSpelling(tag, answered, endOfAnswer)) === true
}

/**
 * Throws a Refusal (412) with the current tag unless it is one of those. `current` is of a state; `undefined`: it is not
 * there, so that nothing matches.
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
