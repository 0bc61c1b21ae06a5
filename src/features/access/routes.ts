import type { QueryClient } from '@tanstack/react-query'
import type { RouteObject } from 'react-router'

import { pages } from '#contract/pages.ts'

import { shellText } from '../../messages/index.ts'
import { loadUser } from '../../domain/loading.ts'

export function accessRoutes(client: QueryClient): RouteObject[] {
  return [
    {
      path: pages.subjectAccess.path,
      handle: { title: shellText.pages.subjectAccess },
      loader: ({ params: { userId = '' } }) => loadUser(client, userId),
      lazy: { Component: async () => (await import('./SubjectAccessPage.tsx')).SubjectAccessPage },
    },
  ]
}
