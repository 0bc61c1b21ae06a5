import { useParams, useRevalidator, useRouteError } from 'react-router'

import { ApiError } from '../../api/index.ts'
import { entities as text } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { BackToEntities } from './BackToEntities.tsx'
import { whyUnread } from '../../domain/failures/why-unread.ts'

/** In the place of the entities; the user above them stays. */
export function EntitiesFailure() {
  const error = useRouteError()
  const { revalidate, state } = useRevalidator()
  // Something is wrong with the page itself, which is the shell's to say.
  if (!(error instanceof ApiError)) throw error
  return (
    <InlineFailure
      title={text.failed.title}
      requestId={error.requestId}
      onRetry={() => void revalidate()}
      retrying={state === 'loading'}
    >
      {whyUnread(error)}
    </InlineFailure>
  )
}

/** In the place of one entity; the list beside it stays. */
export function EntityFailure() {
  const error = useRouteError()
  const { userId = '' } = useParams()
  if (!(error instanceof ApiError) || error.status !== 404) throw error
  return (
    <>
      <BackToEntities userId={userId} />
      <EmptyState title={text.gone.title}>{text.gone.body}</EmptyState>
    </>
  )
}
