import { useParams, useRevalidator, useRouteError } from 'react-router'

import { kindOf } from '../../domain/failures/describe.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { eventText } from '../../messages/index.ts'
import { EventPanel } from './EventPanel.tsx'

const text = eventText.failure

/** In the place of an event that could not be loaded; the list beside it stays. */
export function EventFailure() {
  const error = useRouteError()
  const { eventId } = useParams()
  const { revalidate, state } = useRevalidator()
  return (
    <EventPanel key={eventId} title={eventText.detail.label}>
      <InlineFailure
        title={text.title}
        error={error}
        own={{ missing: text.missing }}
        {...(kindOf(error) !== 'missing' && {
          onRetry: () => void revalidate(),
          retrying: state === 'loading',
        })}
      />
    </EventPanel>
  )
}
