import { pageRoute } from '../../domain/page-route.ts'

/** Routes of the home page. No loader, because each tile loads its own data. */
export const homeRoutes = () => [pageRoute('home', async () => (await import('./HomePage.tsx')).HomePage)]
