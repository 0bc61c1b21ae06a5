import type { ApiError } from '../../api/index.ts'
import { webhooks as text } from '../../messages/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'

export interface WriteFailureProps {
  readonly error: ApiError
  /** What was not done. */
  readonly title: string
  /** After a lost answer, where more is to be said than for any of them. */
  readonly lost?: { readonly title: string; readonly body: string }
}

/** Why something was not done, or that it is not known. */
export function WriteFailure({ error, title, lost }: WriteFailureProps) {
  const { failures } = text
  if (error.outcomeUnknown)
    return (
      <InlineFailure title={lost?.title ?? failures.lost}>{lost?.body ?? failures.lostBody}</InlineFailure>
    )
  return (
    <InlineFailure title={title} requestId={error.requestId}>
      {error.status === 429 || error.status === 503
        ? failures.busy(error.retryAfterSeconds)
        : error.status === 404
          ? failures.gone
          : (error.errors[0]?.detail ?? error.detail ?? failures.body)}
    </InlineFailure>
  )
}
