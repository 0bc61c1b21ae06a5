import { ApiError } from '../../api/index.ts'
import { shell } from '../../messages/index.ts'
import { whyUnread } from '../../domain/failures/why-unread.ts'

/** Why events could not be read: by the service's doing, or by a fault of the page. */
export function whyNoEvents(error: Error): string {
  return error instanceof ApiError ? whyUnread(error) : shell.failure.brokenBody
}
