import { ApiError } from '../../api/index.ts'
import { transfer } from '../../messages/index.ts'

const text = transfer.failure

/** Why long work stopped, as a sentence. Not even a fault of our own takes what was done already from the screen. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return text.fault
  switch (error.status) {
    case 0:
      return text.unreachable
    case 403:
      return text.forbidden(error.missingScope)
    case 429:
    case 503:
      return text.busy
    default:
      return error.detail ?? text.other(error.status)
  }
}

export function requestIdOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.requestId : undefined
}
