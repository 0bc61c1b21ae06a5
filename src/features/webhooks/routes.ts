import type { QueryClient } from '@tanstack/react-query'
import type { RouteObject } from 'react-router'

import { shell } from '../../messages/index.ts'
import type { PageName } from './pages.ts'

// Few people ever come here: what everybody downloads knows no more of these pages than where they are.
const pages = () => import('./pages.ts')

export function webhooksRoutes(client: QueryClient): RouteObject[] {
  const page = (name: PageName, path: string, title: string): RouteObject => ({
    path: `webhooks${path}`,
    handle: { title },
    lazy: { Component: async () => (await pages()).component(name) },
    loader: async ({ params }) => (await pages()).load(name, client, params['subscriptionId'] ?? ''),
  })
  const { webhooks, newWebhook, webhook, editWebhook, recoverEvents } = shell.pages
  const one = '/:subscriptionId'
  return [
    page('list', '', webhooks),
    page('new', '/new', newWebhook),
    page('one', one, webhook),
    page('edit', `${one}/edit`, editWebhook),
    page('recover', `${one}/recover`, recoverEvents),
  ]
}
