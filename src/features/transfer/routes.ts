import type { RouteObject } from 'react-router'

import { shellText } from '../../messages/index.ts'

/** Made anew for each router: a router changes the objects of its routes. */
export const transferRoutes = (): RouteObject[] => [
  {
    path: 'users/export',
    handle: { title: shellText.pages.exportUsers },
    lazy: { Component: async () => (await import('./ExportPage.tsx')).ExportPage },
  },
  {
    path: 'users/import',
    handle: { title: shellText.pages.importUsers },
    lazy: { Component: async () => (await import('./ImportPage.tsx')).ImportPage },
  },
]
