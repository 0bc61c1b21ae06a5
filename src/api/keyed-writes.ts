import { ApiError } from './api-error.ts'
import { isFull } from './connection.ts'

/** Option of a write, for services that recognise a repeated one. */
export interface Keyed {
  readonly idempotencyKey?: string
}

/** Option of a change of a user's data, for services that record the reason. */
export interface Reasoned {
  readonly reason?: string | undefined
}

/** Option of a user's deletion, for services that record a reference. */
export interface Referenced {
  readonly reference?: string | undefined
}

/** Whether the write that failed may be sent again without being done twice. */
export function isRepeatable(error: unknown): boolean {
  return error instanceof ApiError && error.isRepeatable
}

/**
 * Gives each request its own key, and reuses the key for the same request after a lost response or a 5xx, so that the
 * repetition is not done twice. A different request gets a new key, and so does one that succeeded or was refused.
 */
export function keyedWrites() {
  let lost: { readonly request: string; readonly key: string } | undefined
  return async function write<Answer>(
    body: unknown,
    send: (keyed: Keyed) => Promise<Answer>,
  ): Promise<Answer> {
    if (!isFull()) return send({})
    const request = JSON.stringify(body)
    const key = lost?.request === request ? lost.key : crypto.randomUUID()
    lost = { request, key }
    try {
      const answer = await send({ idempotencyKey: key })
      lost = undefined
      return answer
    } catch (error) {
      // A failure of the service, or of a proxy in front of it, may come after the write was done.
      if (error instanceof ApiError) {
        error.isRepeatable = error.outcomeUnknown || error.status >= 500
        if (!error.isRepeatable) lost = undefined
      }
      throw error
    }
  }
}
