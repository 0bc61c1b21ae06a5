import type { QueryClient } from '@tanstack/react-query'
import type { RouteObject } from 'react-router'

import { shell } from '../../messages/index.ts'
import { eventQuery } from '../../domain/queries/events.ts'

export function eventsRoutes(client: QueryClient): RouteObject[] {
  return [
    {
      path: 'events',
      handle: { title: shell.pages.events },
      lazy: { Component: async () => (await import('./EventsPage.tsx')).EventsPage },
      // What is looked for belongs to this page alone, and comes beside its code.
      loader: async ({ url }) => (await import('./open-log.ts')).openLog(client, url.searchParams),
      children: [
        {
          path: ':eventId',
          lazy: {
            Component: async () => (await import('./EventDetail.tsx')).EventDetail,
            ErrorBoundary: async () => (await import('./EventFailure.tsx')).EventFailure,
          },
          loader: ({ params }) => client.query(eventQuery(params['eventId'] ?? '')),
        },
      ],
    },
  ]
}
