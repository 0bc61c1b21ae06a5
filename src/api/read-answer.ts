import type * as z from 'zod'

import type { Endpoint } from '#contract/index.ts'
import { ApiError } from './api-error.ts'
import { isFull } from './connection.ts'

/** Returns the error for a response that is missing or incomplete; after an abort, which is no failure, its reason. */
export function lost(cause: unknown, signal: AbortSignal | undefined, outcomeUnknown: boolean): unknown {
  if (signal?.aborted === true) return cause
  const timedOut = cause instanceof DOMException && cause.name === 'TimeoutError'
  return new ApiError({ status: 0, code: timedOut ? 'timeout' : 'network', outcomeUnknown, cause })
}

/** Parses an answer by the contract. An answer that does not fit is repaired if possible. */
export async function readAnswer(
  { reply, method, path }: Endpoint & { readonly reply: z.ZodType },
  response: Response,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const unreadable = (cause: unknown) =>
    new ApiError({
      status: response.status,
      code: 'unreadable',
      requestId: response.headers.get('X-Request-Id') ?? undefined,
      cause,
    })
  const content: unknown = await response.json().catch((cause: unknown) => {
    throw cause instanceof SyntaxError ? unreadable(cause) : lost(cause, signal, false)
  })
  let { data, error } = reply.safeParse(content)
  if (error) {
    // The cause names the place of the fault, not the value found there.
    const cause = `"/${error.issues[0]?.path.join('/')}" does not fit the contract.`
    const read = mendReply(reply, content, `${method} ${path}`)
    if (!read) throw unreadable(cause)
    data = read.data
  }
  const etag = response.headers.get('ETag')
  // A service without additions may send an `ETag` for caches only and ignore `If-Match`.
  if (etag !== null && isFull()) etags.set(data as object, etag)
  return data
}

const etags = new WeakMap<object, string>()

/** Returns the `ETag` that came with an answer of a full service: with this very object, not a copy of it. */
export function etagOf(answer: object): string | undefined {
  return etags.get(answer)
}

type AnswerIssue = z.core.$ZodIssue
type Holder = Record<PropertyKey, unknown>

const reported = new Set<string>()

/**
 * Repairs, in place, an answer of another service that does not fit the contract. A number or word in place of a text,
 * number or boolean is converted; a missing list becomes empty; an invalid optional field is removed. A row without a
 * required field is never removed: pages are counted by their rows, and a copy or an export would be incomplete.
 * Returns undefined if the answer still does not fit. Each odd field is reported once to the developers of that
 * service, by place and kind, never by value.
 */
function mendReply(reply: z.ZodType, content: unknown, place: string): { data: unknown } | undefined {
  // A removed field may be required, which only the next round of parsing finds out.
  for (let round = 0; round < 3; round += 1) {
    const { data, error } = reply.safeParse(content)
    if (!error) return { data }
    for (const issue of error.issues) {
      const done = mendField(content, issue)
      if (done === undefined) return undefined
      tell(
        `${place}: "${issue.path.map((part) => (typeof part === 'number' ? '*' : part)).join('/')}" ${done}.`,
      )
    }
  }
  return undefined
}

/**
 * Lists of a person's current or former data, of which a repair removes only fields that are null. A value must not
 * vanish from data that is edited and written back, and an unreadable field may be the one that masks the value.
 */
const guarded: ReadonlySet<PropertyKey> = new Set(['properties', 'changes'])

/** Repairs one field in place. Returns a description for developers; undefined if it cannot be repaired. */
function mendField(content: unknown, { code, path, ...issue }: AnswerIssue): string | undefined {
  if (code !== 'invalid_type' || !('expected' in issue)) return undefined
  let holder = content as Holder
  for (const part of path.slice(0, -1)) holder = holder[part] as Holder
  const key = path.at(-1)
  if (key === undefined) return undefined
  const { expected } = issue
  const value = holder[key]
  const kind = value === null ? 'null' : typeof value
  if (expected === 'array' && value == null) {
    holder[key] = []
    return `is missing, and taken for an empty list`
  }
  const read = readAs(expected, value)
  if (read !== undefined) {
    holder[key] = read
    return `is a ${kind} instead of a ${expected}, and read as one`
  }
  if (!['string', 'number', 'boolean'].includes(expected) || value === undefined) return undefined
  if (Array.isArray(holder) || (value !== null && path.some((part) => guarded.has(part)))) return undefined
  delete holder[key]
  return `is of the kind ${kind} instead of a ${expected}, and left out`
}

function readAs(expected: unknown, value: unknown): unknown {
  const isWhole = typeof value === 'number' && Number.isInteger(value)
  // Larger integers may already have lost digits.
  if (expected === 'string' && typeof value === 'number' && (!isWhole || Number.isSafeInteger(value)))
    return String(value)
  if (expected === 'number' && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
    return Number(value)
  if (expected === 'boolean' && typeof value === 'string' && /^(true|false)$/i.test(value))
    return value.toLowerCase() === 'true'
  if (expected === 'boolean' && (value === 0 || value === 1)) return value === 1
  return undefined
}

function tell(sentence: string): void {
  if (reported.has(sentence)) return
  reported.add(sentence)
  // oxlint-disable-next-line no-console -- for the developers of another service, who look for it there
  console.warn(sentence)
}
