import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs, RouteObject } from 'react-router'

import { pages } from '#contract/pages.ts'

import { q } from '../../api/index.ts'
import { shellText } from '../../messages/index.ts'
import { listSkeleton } from '../../ui/skeletons/ListSkeleton.tsx'
import { prefetch, keepCached } from '../../domain/loading.ts'
import { webhookPlaces } from './places.ts'

const loadFor =
  (load: (id: string) => Promise<unknown>) =>
  async ({ params: { subscriptionId = '' } }: LoaderFunctionArgs) => {
    await load(subscriptionId)
    return true
  }

const WebhooksSkeleton = listSkeleton({
  title: shellText.pages.webhooks,
  places: webhookPlaces,
  rowHeight: '50px',
})

export function webhooksRoutes(client: QueryClient): RouteObject[] {
  return [
    {
      path: pages.webhooks.path,
      handle: { title: shellText.pages.webhooks },
      HydrateFallback: WebhooksSkeleton,
      loader: loadFor(() => client.query({ ...q('listSubscriptions'), ...keepCached })),
      lazy: { Component: async () => (await import('./WebhooksPage.tsx')).WebhooksPage },
    },
    {
      path: pages.newWebhook.path,
      handle: { title: shellText.pages.newWebhook },
      lazy: { Component: async () => (await import('./NewWebhookPage.tsx')).NewWebhookPage },
    },
    {
      path: pages.webhook.path,
      handle: { title: shellText.pages.webhook },
      loader: loadFor((id) => {
        // The table of attempts shows its own failure, so the page does not wait for this read.
        prefetch(
          client.query({ ...q('listRecentAttempts', { params: { subscription_id: id } }), ...keepCached }),
        )
        return client.query({ ...q('getSubscription', { params: { subscription_id: id } }), ...keepCached })
      }),
      lazy: { Component: async () => (await import('./WebhookPage.tsx')).WebhookPage },
    },
    {
      path: pages.editWebhook.path,
      handle: { title: shellText.pages.editWebhook },
      loader: loadFor((id) => client.query(q('getSubscription', { params: { subscription_id: id } }))),
      lazy: { Component: async () => (await import('./EditWebhookPage.tsx')).EditWebhookPage },
    },
    {
      path: pages.recoverWebhook.path,
      handle: { title: shellText.pages.recoverEvents },
      loader: loadFor((id) =>
        Promise.all([
          client.query({ ...q('getSubscription', { params: { subscription_id: id } }), ...keepCached }),
          // The recent attempts narrow the time span. Without them a longer span is searched.
          client
            .query({ ...q('listRecentAttempts', { params: { subscription_id: id } }), ...keepCached })
            .catch(() => undefined),
        ]),
      ),
      lazy: { Component: async () => (await import('./RecoverPage.tsx')).RecoverPage },
    },
  ]
}
