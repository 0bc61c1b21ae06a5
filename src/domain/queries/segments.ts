import { queryOptions } from '@tanstack/react-query'

import type { Segment } from '#contract/index.ts'
import { everyPage } from '../../api/every-page.ts'
import { api, fileUnder, offers, q } from '../../api/index.ts'

/** Query for all segments, oldest first, as the service returns them. */
export function segmentsQuery() {
  return queryOptions({
    ...q('listSegments'),
    queryFn: ({ signal }) => everyPage((query) => api.listSegments({ query, signal })),
  })
}

export function segmentQuery(id: string) {
  return q('getSegment', { params: { segment_id: id } })
}

/** Query for all segments, each with whether the user is in it, for services that provide this. */
export function userSegmentsQuery(userId: string, explain?: 'true') {
  return queryOptions({
    ...fileUnder('listUserSegments', { params: { user_id: userId }, query: { explain } }),
    queryFn: ({ signal }) =>
      everyPage(({ offset }) =>
        api.listUserSegments({ params: { user_id: userId }, query: { explain, offset }, signal }),
      ),
    // A response prefetched on hover over a button is still fresh when the button is pressed (milliseconds).
    staleTime: 5000,
  })
}

/** Query for all segments, each with whether and why the user is in it. */
export const whyQuery = (userId: string) => userSegmentsQuery(userId, 'true')

/** Whether the service counts its segments by itself, so that a missing count is worth waiting for. */
export const countsSegments = () => offers('listSegmentHistory')

function lastCount(segments: readonly Segment[]): string {
  return segments.reduce(
    (last, { counted }) => (typeof counted === 'string' && counted > last ? counted : last),
    '',
  )
}

/** Query for the daily sizes of all segments, read again after each count of theirs, which is in the key. */
export function segmentHistoryQuery(segments: readonly Segment[]) {
  return queryOptions({
    ...fileUnder('listSegmentHistory', { counted: lastCount(segments) }),
    queryFn: ({ signal }) => everyPage((query) => api.listSegmentHistory({ query, signal })),
    enabled: countsSegments(),
    staleTime: 60_000,
  })
}
