import type { RouteObject } from 'react-router'

import { pages } from '#contract/pages.ts'

import { shellText } from '../../messages/index.ts'

/** Returns new route objects on each call, because a router mutates them. */
export const transferRoutes = (): RouteObject[] => [
  {
    path: pages.exportUsers.path,
    handle: { title: shellText.pages.exportUsers },
    lazy: { Component: async () => (await import('./ExportPage.tsx')).ExportPage },
  },
  {
    path: pages.importUsers.path,
    handle: { title: shellText.pages.importUsers },
    lazy: { Component: async () => (await import('./ImportPage.tsx')).ImportPage },
  },
]
