import type { QueryClient } from '@tanstack/react-query'

import { q } from '../../api/index.ts'
import { keepCached, pageRoute, prefetch } from '../../domain/page-route.ts'
import { subscriptionLayout } from './column-layout.ts'

const subscription = (id: string) => q('getSubscription', { params: { subscription_id: id } })
const attempts = (id: string) => ({
  ...q('listRecentAttempts', { params: { subscription_id: id } }),
  ...keepCached,
})

export const webhooksRoutes = (client: QueryClient) => [
  pageRoute('webhooks', async () => (await import('./WebhooksPage.tsx')).WebhooksPage, {
    skeleton: { columns: subscriptionLayout, rowHeight: '50px' },
    load: () => client.query({ ...q('listSubscriptions'), ...keepCached }),
  }),
  pageRoute('newWebhook', async () => (await import('./NewWebhookPage.tsx')).NewWebhookPage),
  pageRoute('webhook', async () => (await import('./WebhookPage.tsx')).WebhookPage, {
    load: ({ params: { subscriptionId = '' } }) => {
      // The table of attempts shows its own failure, so the page does not wait for this read.
      prefetch(client.query(attempts(subscriptionId)))
      return client.query({ ...subscription(subscriptionId), ...keepCached })
    },
  }),
  pageRoute('editWebhook', async () => (await import('./EditWebhookPage.tsx')).EditWebhookPage, {
    load: ({ params: { subscriptionId = '' } }) => client.query(subscription(subscriptionId)),
  }),
  pageRoute('recoverWebhook', async () => (await import('./RecoverPage.tsx')).RecoverPage, {
    load: ({ params: { subscriptionId = '' } }) =>
      Promise.all([
        client.query({ ...subscription(subscriptionId), ...keepCached }),
        // The recent attempts narrow the time span. Without them a longer span is searched.
        client.query(attempts(subscriptionId)).catch(() => undefined),
      ]),
  }),
]
