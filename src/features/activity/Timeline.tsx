import { useQuery } from '@tanstack/react-query'

import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { userPageText } from '../../messages/index.ts'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { ActivityList } from './ActivityList.tsx'
import { activityQuery } from './queries.ts'

/** Column with the latest events about a user. */
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
