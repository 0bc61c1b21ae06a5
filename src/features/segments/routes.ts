import type { QueryClient } from '@tanstack/react-query'
import type { RouteObject } from 'react-router'

import { pages } from '#contract/pages.ts'

import { shellText } from '../../messages/index.ts'
import { listSkeleton } from '../../ui/skeletons/ListSkeleton.tsx'
import { usersQuery } from '../../domain/queries/users.ts'
import { segmentQuery, segmentsQuery } from '../../domain/queries/segments.ts'
import { prefetch } from '../../domain/loading.ts'
import type { PageHandle } from '../../domain/page-handle.ts'
import { editedSegmentQuery } from './queries.ts'
import { segmentColumnPlaces } from './places.ts'

const SegmentsSkeleton = listSkeleton({
  title: shellText.pages.segments,
  bars: [{ width: '320px', isBox: true, space: '0 0 12px' }],
  places: segmentColumnPlaces,
  rowHeight: '52px',
})

/** A failure to read the list does not block a single segment; its page says what is unknown without it. */
const prefetchOthers = (client: QueryClient) => client.query(segmentsQuery()).catch(() => undefined)

export function segmentsRoutes(client: QueryClient): RouteObject[] {
  return [
    {
      path: pages.segments.path,
      handle: { title: shellText.pages.segments },
      HydrateFallback: SegmentsSkeleton,
      lazy: { Component: async () => (await import('./SegmentsPage.tsx')).SegmentsPage },
      loader: () => client.query(segmentsQuery()),
    },
    {
      path: pages.newSegment.path,
      handle: { title: shellText.pages.newSegment },
      lazy: { Component: async () => (await import('./NewSegmentPage.tsx')).NewSegmentPage },
      loader: async ({ request }) => {
        const from = new URL(request.url).searchParams.get('from')
        await Promise.all([prefetchOthers(client), from !== null && client.query(segmentQuery(from))])
        return true
      },
    },
    {
      path: pages.editSegment.path,
      handle: { title: shellText.pages.editSegment },
      lazy: { Component: async () => (await import('./EditSegmentPage.tsx')).EditSegmentPage },
      loader: async ({ params: { segmentId = '' } }) => {
        await Promise.all([
          client.query({ ...editedSegmentQuery(segmentId), staleTime: 0 }),
          prefetchOthers(client),
        ])
        return true
      },
    },
    {
      path: pages.segment.path,
      handle: {
        title: shellText.pages.segment,
        prefetch: ({ segmentId = '' }, may) =>
          may('segments:read') ? [client.query(segmentQuery(segmentId)), client.query(segmentsQuery())] : [],
      } satisfies PageHandle,
      lazy: { Component: async () => (await import('./SegmentPage.tsx')).SegmentPage },
      loader: async ({ params: { segmentId = '' } }) => {
        // Counting the users may take long or be refused, so the page does not wait for it.
        prefetch(client.query(usersQuery({ segment: segmentId })))
        await Promise.all([client.query(segmentQuery(segmentId)), prefetchOthers(client)])
        return true
      },
    },
  ]
}
