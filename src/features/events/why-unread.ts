import { ApiError } from '../../api/index.ts'
import { shell } from '../../messages/index.ts'

/** Why events could not be read, as a sentence. */
export function whyUnread(error: Error): string {
  const { failure } = shell
  if (!(error instanceof ApiError)) return failure.brokenBody
  if (error.code === 'unreadable') return failure.unreadableBody
  switch (error.status) {
    case 0:
      return failure.offlineBody
    case 403:
      return failure.forbiddenBody(error.missingScope)
    case 429:
    case 503:
      return failure.busyBody(error.retryAfterSeconds)
    default:
      return error.detail ?? failure.body
  }
}
