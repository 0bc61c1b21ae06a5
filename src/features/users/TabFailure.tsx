import { useRevalidator, useRouteError } from 'react-router'

import { ApiError } from '../../api/index.ts'
import { shell, user as text } from '../../messages/index.ts'
import { InlineFailure } from '../../ui/InlineFailure.tsx'

/** In the place of one tab; the user above it stays. */
function TabFailure({ title }: { readonly title: string }) {
  const error = useRouteError()
  const { revalidate, state } = useRevalidator()
  // Something is wrong with the page itself, which is the shell's to say.
  if (!(error instanceof ApiError)) throw error
  return (
    <InlineFailure
      title={title}
      requestId={error.requestId}
      onRetry={() => void revalidate()}
      retrying={state === 'loading'}
    >
      {whyUnread(error)}
    </InlineFailure>
  )
}

export const ActivityFailure = () => <TabFailure title={text.failed.activity} />
export const SegmentsFailure = () => <TabFailure title={text.failed.segments} />
export const RecordFailure = () => <TabFailure title={text.failed.record} />

/** Why something could not be read, as a sentence. */
export function whyUnread(error: ApiError): string {
  const { failure } = shell
  if (error.code === 'unreadable') return failure.unreadableBody
  switch (error.status) {
    case 0:
      return failure.offlineBody
    case 403:
      return failure.forbiddenBody(error.missingScope)
    case 404:
      return failure.notFoundBody
    case 429:
    case 503:
      return failure.busyBody(error.retryAfterSeconds)
    default:
      return error.detail ?? failure.body
  }
}
