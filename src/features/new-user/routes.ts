import { pageRoute } from '../../domain/page-route.ts'

export const newUserRoutes = () => [
  pageRoute('newUser', async () => (await import('./NewUserPage.tsx')).NewUserPage),
]
