import { useRevalidator, useRouteError } from 'react-router'

import { ApiError } from '../../api/index.ts'
import { user as text } from '../../messages/index.ts'
import { InlineFailure } from '../failures/InlineFailure.tsx'
import { whyUnread } from '../failures/why-unread.ts'

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
