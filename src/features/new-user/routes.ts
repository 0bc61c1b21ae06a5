import type { RouteObject } from 'react-router'

import { shell } from '../../messages/index.ts'

export const newUserRoutes: RouteObject[] = [
  {
    path: 'users/new',
    handle: { title: shell.pages.newUser },
    lazy: { Component: async () => (await import('./NewUserPage.tsx')).NewUserPage },
  },
]
