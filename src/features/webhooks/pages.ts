import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'

import { ApiError, offers } from '../../api/index.ts'
import { recentAttemptsQuery, subscriptionQuery, subscriptionsQuery } from '../../domain/queries/webhooks.ts'

/** What is kept is shown at once and read again behind it. */
const kept = { staleTime: 'static' } as const

interface Page {
  readonly Component: () => Promise<ComponentType>
  readonly load?: (client: QueryClient, id: string) => Promise<unknown>
}

const pages = {
  list: {
    Component: async () => (await import('./WebhooksPage.tsx')).WebhooksPage,
    load: (client) => client.query({ ...subscriptionsQuery(), ...kept }),
  },
  new: { Component: async () => (await import('./NewWebhookPage.tsx')).NewWebhookPage },
  one: {
    Component: async () => (await import('./WebhookPage.tsx')).WebhookPage,
    load: (client, id) => {
      // Shown where they stand, whatever becomes of them.
      client.query({ ...recentAttemptsQuery(id), ...kept }).catch(() => undefined)
      return client.query({ ...subscriptionQuery(id), ...kept })
    },
  },
  edit: {
    Component: async () => (await import('./EditWebhookPage.tsx')).EditWebhookPage,
    load: (client, id) => client.query(subscriptionQuery(id)),
  },
  recover: {
    Component: async () => (await import('./RecoverPage.tsx')).RecoverPage,
    load: (client, id) =>
      Promise.all([
        client.query({ ...subscriptionQuery(id), ...kept }),
        client.query({ ...recentAttemptsQuery(id), ...kept }),
      ]),
  },
} satisfies Record<string, Page>

export type PageName = keyof typeof pages

export const component = (name: PageName) => pages[name].Component()

export async function load(name: PageName, client: QueryClient, id: string): Promise<true> {
  if (!offers('webhooks')) throw new ApiError({ status: 404, code: 'not_found' })
  const page: Page = pages[name]
  await page.load?.(client, id)
  return true
}
