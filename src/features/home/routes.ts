import type { RouteObject } from 'react-router'

import { ApiError, offers } from '../../api/index.ts'
import { shellText } from '../../messages/index.ts'

/** The loader waits for the code only: each tile loads its own data. */
export function homeRoutes(): RouteObject[] {
  return [
    {
      path: 'home',
      handle: { title: shellText.pages.home },
      loader() {
        if (!offers('events.counts')) throw new ApiError({ status: 404, code: 'not_found' })
        return true
      },
      lazy: { Component: async () => (await import('./HomePage.tsx')).HomePage },
    },
  ]
}
