import type { QueryClient } from '@tanstack/react-query'

import { pageRoute, prefetch } from '../../domain/page-route.ts'
import { segmentQuery, segmentsQuery } from '../../domain/queries/segments.ts'
import { usersQuery } from '../../domain/queries/users.ts'
import { segmentLayout } from './column-layout.ts'
import { editedSegmentQuery } from './queries.ts'

/** A failure to read the list does not block a single segment; its page says what is unknown without it. */
const prefetchOthers = (client: QueryClient) => client.query(segmentsQuery()).catch(() => undefined)

export const segmentsRoutes = (client: QueryClient) => [
  pageRoute('segments', async () => (await import('./SegmentsPage.tsx')).SegmentsPage, {
    skeleton: {
      bars: [{ width: '320px', isBox: true, space: '0 0 12px' }],
      columns: segmentLayout,
      rowHeight: '52px',
    },
    loader: () => client.query(segmentsQuery()),
  }),
  pageRoute('newSegment', async () => (await import('./NewSegmentPage.tsx')).NewSegmentPage, {
    load: ({ url }) => {
      const from = url.searchParams.get('from')
      return Promise.all([prefetchOthers(client), from !== null && client.query(segmentQuery(from))])
    },
  }),
  pageRoute('editSegment', async () => (await import('./EditSegmentPage.tsx')).EditSegmentPage, {
    load: ({ params: { segmentId = '' } }) =>
      Promise.all([client.query({ ...editedSegmentQuery(segmentId), staleTime: 0 }), prefetchOthers(client)]),
  }),
  pageRoute('segment', async () => (await import('./SegmentPage.tsx')).SegmentPage, {
    prefetch: ({ segmentId = '' }, may) =>
      may('segments:read') ? [client.query(segmentQuery(segmentId)), client.query(segmentsQuery())] : [],
    load: ({ params: { segmentId = '' } }) => {
      // Counting the users may take long or be refused, so the page does not wait for it.
      prefetch(client.query(usersQuery({ segment: segmentId })))
      return Promise.all([client.query(segmentQuery(segmentId)), prefetchOthers(client)])
    },
  }),
]
