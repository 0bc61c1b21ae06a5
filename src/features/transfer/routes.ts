import { pageRoute } from '../../domain/page-route.ts'

export const transferRoutes = () => [
  pageRoute('exportUsers', async () => (await import('./ExportPage.tsx')).ExportPage),
  pageRoute('importUsers', async () => (await import('./ImportPage.tsx')).ImportPage),
]
