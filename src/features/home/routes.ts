import type { RouteObject } from 'react-router'

import { shellText } from '../../messages/index.ts'

/** Each tile loads its own data. */
export function homeRoutes(): RouteObject[] {
  return [
    {
      path: 'home',
      handle: { title: shellText.pages.home },
      lazy: { Component: async () => (await import('./HomePage.tsx')).HomePage },
    },
  ]
}
