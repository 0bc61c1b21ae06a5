import { type ApiError, offers } from '../../api/index.ts'
import { segments as text } from '../../messages/index.ts'
import { InlineFailure } from '../../ui/InlineFailure.tsx'

const words = text.create

/** Why a segment was not created, above the form, which keeps what was typed. */
export function NotCreated({ error }: { readonly error: ApiError }) {
  return (
    <InlineFailure title={error.outcomeUnknown ? words.lost : words.failed} requestId={error.requestId}>
      {reason(error)}
    </InlineFailure>
  )
}

function reason({ outcomeUnknown, status, retryAfterSeconds, errors, detail }: ApiError): string {
  if (outcomeUnknown) return offers('idempotency') ? words.lostRecognised : words.lostBody
  if (status === 429 || status === 503) return words.busy(retryAfterSeconds)
  if (errors.length === 0) return detail ?? words.failedBody
  // What belongs to no field of this form is said here.
  const elsewhere = errors.filter(({ pointer }) => !/^\/(name|description|tz|filter)(\/|$)/.test(pointer))
  return elsewhere.length === 0 ? words.refusedBody : elsewhere.map((each) => each.detail).join(' ')
}
