import { pageRoute } from '../../domain/loading.ts'

export const newUserRoutes = () => [
  pageRoute('newUser', async () => (await import('./NewUserPage.tsx')).NewUserPage),
]
