import { useParams, useRevalidator, useRouteError } from 'react-router'

import { ApiError } from '../../api/index.ts'
import { events as text } from '../../messages/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { EventPanel } from './EventPanel.tsx'

/** In the place of an event that could not be loaded; the list beside it stays. */
export function EventFailure() {
  const error = useRouteError()
  const { eventId } = useParams()
  const { revalidate, state } = useRevalidator()
  const notFound = error instanceof ApiError && error.status === 404
  const { failure } = text
  return (
    <EventPanel key={eventId} title={text.detail.label}>
      <InlineFailure
        title={notFound ? failure.notFoundTitle : failure.title}
        requestId={error instanceof ApiError ? error.requestId : undefined}
        {...(!notFound && { onRetry: () => void revalidate(), retrying: state === 'loading' })}
      >
        {notFound ? failure.notFoundBody : failure.body}
      </InlineFailure>
    </EventPanel>
  )
}
