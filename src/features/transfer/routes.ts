import { pageRoute } from '../../domain/page-route.ts'

export const transferRoutes = () => [
  pageRoute('exportUsers', async () => (await import('./ExportPage.tsx')).ExportPage),
]
