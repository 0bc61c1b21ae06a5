import type { ApiError } from '../../api/index.ts'
import { userEdit as text } from '../../messages/index.ts'
import { InlineFailure } from '../failures/InlineFailure.tsx'

export interface WriteFailureProps {
  readonly error: ApiError
  /** In place of the general sentence where no answer came. */
  readonly lost?: string
}

/** Why a write did not work, what is safe, and what to do; above the form, which keeps what was typed. */
export function WriteFailure({ error, lost = text.failure.lostBody }: WriteFailureProps) {
  const { failure } = text
  const unknown = error.outcomeUnknown
  return (
    <InlineFailure title={unknown ? failure.lostTitle : failure.notSaved} requestId={error.requestId}>
      {unknown ? lost : failureReason(error)}
    </InlineFailure>
  )
}

/** Why nothing was saved, and what to do. */
export function failureReason(error: ApiError): string {
  const { failure } = text
  switch (error.status) {
    case 403:
      return failure.forbidden(error.missingScope)
    case 404:
      return failure.gone
    case 429:
    case 503:
      return failure.busy(error.retryAfterSeconds)
    default:
      return error.detail ?? failure.other
  }
}
