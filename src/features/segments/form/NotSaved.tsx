import { type ApiError, offers } from '../../../api/index.ts'
import type { OwnWords } from '../../../domain/failures/describe.ts'
import { InlineFailure } from '../../../domain/failures/InlineFailure.tsx'
import { atFields } from '../../../domain/failures/pointers.ts'
import { segmentText } from '../../../messages/index.ts'

const text = segmentText.create

export interface NotSavedWords extends OwnWords {
  readonly failed: string
}

export function notCreated(): NotSavedWords {
  const { failed, lost, lostBody, lostRecognised } = text
  return { failed, lost: { title: lost, body: offers('idempotency') ? lostRecognised : lostBody } }
}

/** Why a segment was not saved, above the form, which keeps what was typed. */
export function NotSaved({ error, words }: { readonly error: ApiError; readonly words: NotSavedWords }) {
  const { failed, ...own } = words
  const { rest } = atFields(error.errors, ['name', 'description', 'tz', 'filter'])
  return <InlineFailure title={failed} error={error} own={{ ...own, rest, kept: text.kept }} />
}
