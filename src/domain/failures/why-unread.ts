import { shell } from '../../messages/index.ts'

/** A failed read, as far as a sentence needs to know it; its status is 0 where no answer came. */
interface Unread {
  readonly code?: string | undefined
  readonly status: number
  readonly missingScope?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly detail?: string | undefined
}

/** Why something could not be read, as a sentence. */
export function whyUnread({ code, status, missingScope, retryAfterSeconds, detail }: Unread): string {
  const { failure } = shell
  if (code === 'unreadable') return failure.unreadableBody
  switch (status) {
    case 0:
      return failure.offlineBody
    case 403:
      return failure.forbiddenBody(missingScope)
    case 404:
      return failure.notFoundBody
    case 429:
    case 503:
      return failure.busyBody(retryAfterSeconds)
    default:
      return detail ?? failure.body
  }
}
