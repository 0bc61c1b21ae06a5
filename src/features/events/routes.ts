import type { QueryClient } from '@tanstack/react-query'

import { pages } from '#contract/page-paths.ts'
import { pageRoute } from '../../domain/page-route.ts'
import { eventQuery } from '../../domain/queries/events.ts'

export const eventsRoutes = (client: QueryClient) => [
  pageRoute('events', async () => (await import('./EventsPage.tsx')).EventsPage, {
    lazy: {
      // The reader of the log is code that no other page needs; it is loaded in parallel with the page.
      loader: async () => {
        const { loadLog } = await import('./log/use-event-log.ts')
        return ({ url, request }) => loadLog(client, url.searchParams, request.signal)
      },
    },
    children: [
      {
        path: pages.event.path,
        lazy: {
          Component: async () => (await import('./detail/EventDetail.tsx')).EventDetail,
          ErrorBoundary: async () => (await import('./detail/EventPanel.tsx')).EventFailure,
        },
        loader: ({ params }) => client.query(eventQuery(params['eventId'] ?? '')),
      },
    ],
  }),
]
