import { STATUS_CODES } from 'node:http'

import {
  type ErrorCode,
  maxErrors,
  type Problem,
  type ProblemError,
  type RefusalCode,
  refusals,
} from '#contract/index.ts'

/** One fault of a request, as it is sent to the caller. */
export interface RefusalError extends ProblemError {
  readonly code: ErrorCode
}

/** An error that the caller can act on. Any other error is a bug: it is logged and answered with a fixed sentence. */
export class Refusal extends Error {
  readonly status: number
  readonly code: RefusalCode
  readonly errors: readonly RefusalError[]
  /** Number of errors; `errors` may hold only the first ones. */
  readonly errorCount: number
  readonly headers: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, unknown>>
  readonly logged: string | undefined

  /** `detail` and `errors` are sent to the caller and must never contain a value that was sent or stored. */
  constructor(
    code: RefusalCode,
    detail: string,
    extra: {
      errors?: readonly RefusalError[]
      errorCount?: number
      headers?: Readonly<Record<string, string>>
      /** Further members of the problem body, for example the ids of the users in conflict. */
      members?: Readonly<Record<string, unknown>>
      /** Failure on our side that led to the refusal; only logged. */
      cause?: unknown
      /** Detail for the operator, not the caller; only logged. */
      logged?: string
    } = {},
  ) {
    super(detail, extra.cause === undefined ? {} : { cause: extra.cause })
    this.status = refusals[code]
    this.code = code
    this.errors = extra.errors ?? []
    this.errorCount = extra.errorCount ?? this.errors.length
    this.headers = extra.headers ?? {}
    this.members = extra.members ?? {}
    this.logged = extra.logged
  }
}

/** Kinds of resources that a path addresses by id. */
export type Thing =
  | 'user'
  | 'entity'
  | 'segment'
  | 'event'
  | 'subscription'
  | 'changeset'
  | 'job'
  | 'definition'

const detailsOfMissing: Readonly<Partial<Record<Thing, string>>> = {
  changeset: 'No changes are kept under this id. Their user was deleted, or they were never recorded.',
  definition: 'Nobody has defined this, or its definition was deleted.',
}

export function notFound(thing: Thing): Refusal {
  return new Refusal(
    `${thing}_not_found`,
    detailsOfMissing[thing] ?? `There is no ${thing} with this id. It may have been deleted.`,
  )
}

/**
 * Returns a 422 for a body that is valid JSON but not acceptable; each error names the place and the correction.
 *
 * @param errorCount Number of errors if only the first ones are given.
 */
export function invalid(errors: readonly RefusalError[], errorCount = errors.length): Refusal {
  const places = errorCount === 1 ? 'One field is' : `${errorCount} fields are`
  return new Refusal('validation', `${places} not acceptable; nothing was changed.`, { errors, errorCount })
}

const diskFull =
  'The disk of the store is full: its operator has to make room. Nothing was changed; try again later.'
const readOnly =
  'The store can only be read: another server takes over from it, or its disk is full and its operator has to make room. ' +
  'Nothing was changed; try again later.'

export function unavailable(
  detail = 'The service cannot reach its database right now. Nothing was changed; try again.',
  cause?: unknown,
): Refusal {
  return new Refusal('unavailable', detail, { headers: { 'retry-after': '2' }, cause })
}

const lost =
  'The service lost its database while it answered. A change may have been made: read it again before ' +
  'you repeat it, or repeat it with the same Idempotency-Key.'

/** Code of the error for a master key that is missing from the settings; its message names the key. */
export const missingKeyCode = 'MISSING_MASTER_KEY'

/** Returns the refusal for a master key that is missing from the settings. Only the log names the key. */
export function keyMissing(): Refusal {
  return unavailable(
    'A key that this needs is missing from the settings of the service: its operator has to add it. Nothing was changed.',
  )
}

/** Whether the database stopped a statement for exceeding its time limit. */
export const isStopped = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '57014'

/** Returns the refusal for an expensive request whose statement the database stopped at its time limit. */
export function tookTooLong(): Refusal {
  const detail =
    'This request took the database too long and was stopped. Ask for less at once: fewer tests, or a narrower time span.'
  return new Refusal('too_much_work', detail, { headers: { 'retry-after': '30' } })
}

/** Serializes a refusal as an error body (RFC 9457). */
export function problemBody(refusal: Refusal, requestId: string): string {
  const body: Problem & Record<string, unknown> = {
    type: 'about:blank',
    title: STATUS_CODES[refusal.status] ?? 'Error',
    status: refusal.status,
    code: refusal.code,
    detail: refusal.message,
    instance: requestId,
    ...refusal.members,
  }
  if (refusal.errors.length > 0) {
    body.errors = firstOf(refusal.errors)
    if (body.errors.length < refusal.errorCount) {
      body.errorCount = refusal.errorCount
      body.detail = `${refusal.message} The first ${body.errors.length} are listed.`
    }
  }
  return JSON.stringify(body)
}

/**
 * Size limit of the listed errors. Their pointers may contain names from the request: a hundred long ones would make a
 * large answer.
 */
const maxErrorsLength = 16 * 1024

function firstOf(errors: readonly RefusalError[]): RefusalError[] {
  const listed: RefusalError[] = []
  let left = maxErrorsLength
  for (const error of errors.slice(0, maxErrors)) {
    left -= JSON.stringify(error).length
    if (left < 0) break
    listed.push(error)
  }
  return listed
}

/**
 * Maps anything thrown while answering to a refusal: itself if it is one, 503 for a missing master key or a database
 * that is unreachable, too slow, full or read-only, or rolled back the transaction. Returns `undefined` for a bug.
 */
export function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  if (code === missingKeyCode) return keyMissing()
  if (isStopped(error))
    return unavailable('This took the database too long and was stopped. Nothing was changed; try again.')
  // The disk is full: PostgreSQL rejects statements that need more space.
  if (code === '53100') return unavailable(diskFull)
  // The database is read-only: an embedded store while its disk is full, a server while it is a standby.
  if (code === '25006') return unavailable(readOnly)
  // PostgreSQL reports a read-only disk (42501) or a failing one (58030) with these codes.
  if ((code === '42501' && /Read-only file system/.test(error.message)) || code === '58030')
    return unavailable()
  // SQLSTATE 57P03 (cannot connect now), class 53 (resources) or class 40 (rolled back, such as after a deadlock).
  if (/^(57P03|53|40)/.test(code)) return unavailable()
  // The connection was never made. For example, an embedded database has no socket (ENOENT) while it restarts.
  if ('syscall' in error && error.syscall === 'connect') return unavailable()
  // The connection broke midway, and the answer to a commit may be lost: SQLSTATE class 08 (connection) or 57P
  // (shutdown), and socket errors; pg reports some of these only by message.
  if (/^(08|57P)/.test(code) || /^E(CONNRESET|PIPE|TIMEDOUT)/.test(code)) return unavailable(lost)
  if (/^E(CONN|HOST|NET|AI_|NOTFOUND)/.test(code)) return unavailable()
  if (/timeout exceeded when trying to connect|due to connection timeout/.test(error.message))
    return unavailable()
  if (/Connection terminated|Client has encountered a connection error/.test(error.message))
    return unavailable(lost)
  return undefined
}
