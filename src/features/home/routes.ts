import type { RouteObject } from 'react-router'

import { pages } from '#contract/pages.ts'

import { shellText } from '../../messages/index.ts'

/** Routes of the home page. No loader, because each tile loads its own data. */
export function homeRoutes(): RouteObject[] {
  return [
    {
      path: pages.home.path,
      handle: { title: shellText.pages.home },
      lazy: { Component: async () => (await import('./HomePage.tsx')).HomePage },
    },
  ]
}
