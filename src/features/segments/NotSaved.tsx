import { type ApiError, offers } from '../../api/index.ts'
import { segments as text } from '../../messages/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'

const words = text.create

export interface NotSavedWords {
  readonly failed: string
  readonly lost: string
  /** What to do after a lost answer. */
  readonly lostBody: string
  /** Where the segment that was edited is no longer there. */
  readonly gone?: { readonly title: string; readonly body: string }
}

export function notCreated(): NotSavedWords {
  const { failed, lost, lostBody, lostRecognised } = words
  return { failed, lost, lostBody: offers('idempotency') ? lostRecognised : lostBody }
}

/** Why a segment was not saved, above the form, which keeps what was typed. */
export function NotSaved({ error, words }: { readonly error: ApiError; readonly words: NotSavedWords }) {
  const { failed, lost, lostBody, gone } = words
  if (error.status === 404 && gone) return <InlineFailure title={gone.title}>{gone.body}</InlineFailure>
  return (
    <InlineFailure title={error.outcomeUnknown ? lost : failed} requestId={error.requestId}>
      {error.outcomeUnknown ? lostBody : reason(error)}
    </InlineFailure>
  )
}

function reason({ status, retryAfterSeconds, errors, detail }: ApiError): string {
  if (status === 429 || status === 503) return words.busy(retryAfterSeconds)
  if (errors.length === 0) return detail ?? words.failedBody
  // What belongs to no field of this form is said here.
  const elsewhere = errors.filter(({ pointer }) => !/^\/(name|description|tz|filter)(\/|$)/.test(pointer))
  return elsewhere.length === 0 ? words.refusedBody : elsewhere.map((each) => each.detail).join(' ')
}
