import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'

import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { userPageText } from '../../messages/index.ts'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { ActivityList } from './ActivityList.tsx'
import classes from './Timeline.module.css'
import { activityQuery } from './queries.ts'

const text = userPageText

/** The newest of what happened to a user, in a column of its own. */
export function Timeline({ userId }: { readonly userId: string }) {
  const titleId = useId()
  const { data: events, error, refetch, isFetching } = useQuery(activityQuery(userId))
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.title}>
        {text.side.timeline}
      </h2>
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
