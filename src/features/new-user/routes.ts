import type { RouteObject } from 'react-router'

import { pages } from '#contract/pages.ts'

import { shellText } from '../../messages/index.ts'

/** A function, because a router mutates its route objects, so each router needs its own. */
export const newUserRoutes = (): RouteObject[] => [
  {
    path: pages.newUser.path,
    handle: { title: shellText.pages.newUser },
    lazy: { Component: async () => (await import('./NewUserPage.tsx')).NewUserPage },
  },
]
