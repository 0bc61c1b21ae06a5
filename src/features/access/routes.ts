import type { QueryClient } from '@tanstack/react-query'

import { loadUser, pageRoute } from '../../domain/page-route.ts'

export const accessRoutes = (client: QueryClient) => [
  pageRoute('subjectAccess', async () => (await import('./SubjectAccessPage.tsx')).SubjectAccessPage, {
    loader: ({ params: { userId = '' } }) => loadUser(client, userId),
  }),
]
