import { queryOptions } from '@tanstack/react-query'

import type { Segment } from '#contract/index.ts'
import { api, isFull } from '../../api/index.ts'
import { q } from '../../api/query.ts'
import { aboutUser } from './users.ts'
import { everyPage } from '../../api/every-page.ts'

/** All segments, oldest first, as the service answers them. */
export function segmentsQuery() {
  return queryOptions({
    queryKey: ['listSegments'],
    queryFn: ({ signal }) => everyPage((query) => api.listSegments({ query, signal })),
  })
}

export function segmentQuery(id: string) {
  return q('getSegment', { params: { segment_id: id } })
}

/** Query for the segments that a user is in, for services that can tell. */
export function userSegmentsQuery(userId: string, explain?: 'true') {
  return queryOptions({
    queryKey: [...aboutUser(userId), 'now', 'segments', explain ?? ''],
    queryFn: ({ signal }) =>
      everyPage(({ offset }) =>
        api.listUserSegments({ params: { user_id: userId }, query: { explain, offset }, signal }),
      ),
    // An answer prefetched while the pointer was over a button is fresh enough for its press (milliseconds).
    staleTime: 5000,
  })
}

/** Query for the segments of a user, each with the reasons. */
export const whyQuery = (userId: string) => userSegmentsQuery(userId, 'true')

function lastCount(segments: readonly Segment[]): string {
  return segments.reduce(
    (last, { counted }) => (typeof counted === 'string' && counted > last ? counted : last),
    '',
  )
}

/** How large these segments were, day by day: with a later count it is another history. */
export function segmentHistoryQuery(segments: readonly Segment[]) {
  return queryOptions({
    queryKey: ['listSegmentHistory', lastCount(segments)],
    queryFn: ({ signal }) => everyPage((query) => api.listSegmentHistory({ query, signal })),
    enabled: isFull(),
    staleTime: 60_000,
  })
}
