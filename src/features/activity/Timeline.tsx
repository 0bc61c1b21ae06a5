import { useQuery } from '@tanstack/react-query'

import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { userPageText } from '../../messages/index.ts'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { ActivityList } from './ActivityList.tsx'
import { activityQuery } from './queries.ts'

const text = userPageText

/** The newest of what happened to a user, in a column of its own, which has its title. */
export function Timeline({ userId }: { readonly userId: string }) {
  const { data: events, error, refetch, isFetching } = useQuery(activityQuery(userId))
  return (
    <section aria-label={text.side.timeline}>
      {events ? (
        <ActivityList userId={userId} events={events} />
      ) : error ? (
        <InlineFailure
          title={text.failed.activity}
          error={error}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <SkeletonRows rows={12} />
      )}
    </section>
  )
}
