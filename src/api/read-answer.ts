import type * as z from 'zod'

import type { Endpoint } from '#contract/index.ts'

import { ApiError } from './api-error.ts'
import { isFull } from './connection.ts'
import { mended } from './mend-answer.ts'

/**
 * Returns the error for a response that is missing or incomplete. After an abort by the caller this is the abort
 * reason, since it is not a failure.
 */
export function lost(cause: unknown, signal: AbortSignal | undefined, outcomeUnknown: boolean): unknown {
  if (signal?.aborted === true) return cause
  const timedOut = cause instanceof DOMException && cause.name === 'TimeoutError'
  return new ApiError({ status: 0, code: timedOut ? 'timeout' : 'network', outcomeUnknown, cause })
}

/** Parses an answer by the contract; for an answer of another service, as far as it can be repaired. */
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
    const read = mended(reply, content, `${method} ${path}`)
    if (!read) throw unreadable(cause)
    data = read.data
  }
  const etag = response.headers.get('ETag')
  // A bare service may send the tag for caches alone and ignore `If-Match`.
  if (etag !== null && isFull()) etags.set(data as object, etag)
  return data
}

const etags = new WeakMap<object, string>()

/**
 * Returns the `ETag` that an answer of a full service came with. Works for the object that the call returned, not for a
 * copy.
 */
export function etagOf(answer: object): string | undefined {
  return etags.get(answer)
}
