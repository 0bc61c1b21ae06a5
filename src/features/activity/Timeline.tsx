import { useQuery } from '@tanstack/react-query'

import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { userPageText } from '../../messages/index.ts'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { ActivityList } from './ActivityList.tsx'
import { activityQuery } from './queries.ts'

/** The newest of what happened to a user, in a column of its own, which has its title. */
export function Timeline({ userId }: { readonly userId: string }) {
  const { data: events, error, refetch, isFetching } = useQuery(activityQuery(userId))
  return (
    <section aria-label={userPageText.side.timeline}>
      {events ? (
        <ActivityList userId={userId} events={events} />
      ) : error ? (
        <InlineFailure
          title={userPageText.failed.activity}
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
