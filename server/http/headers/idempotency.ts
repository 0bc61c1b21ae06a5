import { createHmac, type KeyObject } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { sql } from 'kysely'

import type { Transaction } from '../../store/sql.ts'
import { Refusal } from '../errors/problem.ts'

/** A write with a key from its caller, so that a retry does not repeat it. */
export interface KeyedWrite {
  readonly subject: string
  readonly key: string
  /**
   * Keyed digest of the request: method, path, reason or reference, and body. Keyed, because bodies are personal data.
   */
  readonly fingerprint: Buffer
}

/** Stored part of an answer. No body is stored, because writes that answer with one are not replayed; see serve.ts. */
interface KeptAnswer {
  readonly status: number
  readonly location: string | null
}

interface KeyedRequest extends Pick<IncomingMessage, 'headers'> {
  readonly method: string
  readonly url: string
  readonly rawBody?: Buffer
}

/**
 * Returns the identity of a request with an `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header); undefined
 * without that header.
 */
export function readKeyedWrite(
  request: KeyedRequest,
  subject: string,
  secret: KeyObject,
): KeyedWrite | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  // The key is used as written, quotes included.
  if (typeof key === 'string' && /^[\x21-\x7e]{1,200}$/.test(key))
    return { subject, key, fingerprint: fingerprint(secret, request) }
  throw new Refusal(
    'invalid_idempotency_key',
    'Send one Idempotency-Key of 1 to 200 visible ASCII characters, such as a UUID. Nothing was changed.',
  )
}

function fingerprint(secret: KeyObject, { method, url, headers, rawBody }: KeyedRequest): Buffer {
  const reason = headers['change-reason']
  const reference = headers['deletion-reference']
  return createHmac('sha256', secret)
    .update(`${method} ${url}\n`)
    .update(reason === undefined ? '' : `Change-Reason: ${String(reason)}\n`)
    .update(reference === undefined ? '' : `Deletion-Reference: ${String(reference)}\n`)
    .update(rawBody ?? '')
    .digest()
}

/** One write in this many, chosen by its fingerprint, deletes up to twice this many expired keys. */
const keysPerTidying = 64

const oldest = sql`(now() at time zone 'UTC' - interval '24 hours')`

/**
 * Performs a keyed write, or replays its first answer. The key commits atomically with the write, so a refused write
 * leaves its key free. A concurrent duplicate waits on the unique index.
 */
export async function runOnce<Answer extends { readonly status: number; readonly location?: string }>(
  transaction: Transaction,
  { subject, key, fingerprint }: KeyedWrite,
  work: () => Promise<Answer>,
): Promise<{ answer: Answer; replayed: boolean }> {
  const { rows: claimed } = await sql`
    insert into idempotency_keys (subject, key, fingerprint, created)
    values (${subject}, ${key}, ${fingerprint}, now() at time zone 'UTC')
    on conflict on constraint idempotency_keys_pkey do update
      set fingerprint = excluded.fingerprint, status = null, location = null, created = excluded.created
      where idempotency_keys.created < ${oldest}
    returning 1`.execute(transaction)
  if (claimed.length === 0)
    return { answer: await firstAnswer(transaction, subject, key, fingerprint), replayed: true }
  if ((fingerprint[0] ?? 0) < 256 / keysPerTidying) await forgetExpired(transaction)
  const answer = await work()
  await sql`
    update idempotency_keys set status = ${answer.status}, location = ${answer.location ?? null}
    where subject = ${subject} and key = ${key}`.execute(transaction)
  return { answer, replayed: false }
}

/** Deletes expired keys. Skips locked ones, which others are about to reuse, so nobody waits. */
async function forgetExpired(transaction: Transaction): Promise<void> {
  await sql`
    delete from idempotency_keys where (subject, key) in (
      select subject, key from idempotency_keys where created < ${oldest}
      order by created limit ${2 * keysPerTidying} for update skip locked)`.execute(transaction)
}

/** Matches a user in the address of a created resource. */
const userIn = /\/users?\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\/|$)/

/**
 * Whether the location names a user who has since been deleted; clients would follow a replayed answer to a missing
 * page.
 */
async function isOfNobody(transaction: Transaction, location: string): Promise<boolean> {
  const [, user] = userIn.exec(location) ?? []
  if (user === undefined) return false
  const { rows } = await sql`select 1 from users where id = ${user}::uuid`.execute(transaction)
  return rows.length === 0
}

function userGone(): Refusal {
  return new Refusal(
    'user_not_found',
    'This request was done before, and its user has been deleted since. Nothing was changed; to repeat it, send a new key.',
  )
}

async function firstAnswer<Answer>(
  transaction: Transaction,
  subject: string,
  key: string,
  fingerprint: Buffer,
): Promise<Answer> {
  const { rows } = await sql<KeptAnswer & { fingerprint: Buffer }>`
    select fingerprint, status, location from idempotency_keys
    where subject = ${subject} and key = ${key}`.execute(transaction)
  const [first] = rows
  if (!first?.fingerprint.equals(fingerprint))
    throw new Refusal(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request within the last 24 hours. Nothing was changed; send a new key.',
    )
  const { status, location } = first
  if (location !== null && (await isOfNobody(transaction, location))) throw userGone()
  return (location === null ? { status } : { status, location }) as Answer
}
