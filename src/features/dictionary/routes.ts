import type { QueryClient } from '@tanstack/react-query'

import { keepCached, pageRoute } from '../../domain/page-route.ts'
import { definitionsQuery, dictionaryQuery } from '../../domain/queries/keys.ts'
import { dictionaryLayout } from './column-layout.ts'

export const dictionaryRoutes = (client: QueryClient) => [
  pageRoute('dictionary', async () => (await import('./DictionaryPage.tsx')).DictionaryPage, {
    skeleton: {
      lead: '480px',
      bars: [
        { width: '420px', isBox: true, space: '0 0 16px' },
        // Placeholder for the first entity type.
        { width: '240px', space: '8px 0' },
      ],
      isIndexed: true,
      columns: dictionaryLayout,
    },
    load: () =>
      Promise.all([
        client.query({ ...dictionaryQuery(), ...keepCached }),
        // Without its definitions the page still lists what was counted.
        client.prefetchQuery(definitionsQuery({ isCounted: true })),
      ]),
  }),
]
