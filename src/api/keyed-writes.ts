import { ApiError } from './api-error.ts'
import { offers } from './connection.ts'

/** Of a write, where the service can recognise it when it comes again. */
export interface Keyed {
  readonly idempotencyKey?: string
}

/** Of a change of a user's data, where the service keeps why it is made. */
export interface Reasoned {
  readonly reason?: string | undefined
}

/** Of the deletion of a user, where the service keeps what it refers to. */
export interface Referenced {
  readonly reference?: string | undefined
}

/**
 * Gives each request a key of its own, and the same one to the same request after a lost answer: sent again then, it
 * is not done twice. A request that was answered, or is another one, has a new key.
 */
export function keyedWrites() {
  let lost: { readonly request: string; readonly key: string } | undefined
  return async function write<Answer>(
    asked: unknown,
    send: (keyed: Keyed) => Promise<Answer>,
  ): Promise<Answer> {
    if (!offers('idempotency')) return send({})
    const request = JSON.stringify(asked)
    const key = lost?.request === request ? lost.key : crypto.randomUUID()
    lost = { request, key }
    try {
      const answer = await send({ idempotencyKey: key })
      lost = undefined
      return answer
    } catch (error) {
      // A failure of the service, or of what stands before it, may come after the write.
      if (error instanceof ApiError && !error.outcomeUnknown && error.status < 500) lost = undefined
      throw error
    }
  }
}
