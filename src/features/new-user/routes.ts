import type { RouteObject } from 'react-router'

import { shellText } from '../../messages/index.ts'

/** Made anew for each router: a router changes the objects of its routes. */
export const newUserRoutes = (): RouteObject[] => [
  {
    path: 'users/new',
    handle: { title: shellText.pages.newUser },
    lazy: { Component: async () => (await import('./NewUserPage.tsx')).NewUserPage },
  },
]
