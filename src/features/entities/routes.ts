import type { QueryClient } from '@tanstack/react-query'
import type { RouteObject } from 'react-router'

import { pages } from '#contract/page-paths.ts'
import { ApiError, offers } from '../../api/index.ts'
import { keepCached, type PageHandle, pageRoute, prefetch } from '../../domain/page-route.ts'
import { dataTypesQuery, entitiesQuery } from '../../domain/queries/entities.ts'
import { definitionsQuery } from '../../domain/queries/keys.ts'
import { SkeletonRows } from '../../ui/skeletons/SkeletonRows.tsx'
import { EntityEditor } from './record/lazy-editor.ts'

const entitiesPage = () => import('./record/EntitiesPage.tsx')

export function entitiesRoutes(client: QueryClient): RouteObject[] {
  return [
    {
      HydrateFallback: SkeletonRows,
      loader: async ({ params: { userId = '' } }) => {
        // Do not wait for the data types: without them the form offers the types known to this console.
        prefetch(client.query(dataTypesQuery()))
        await Promise.all([
          client.query(entitiesQuery(userId)),
          // Definitions order and group the rows of a record, which must not move under the reader.
          offers('listDefinitions') &&
            client.query({ ...definitionsQuery({ isCounted: false }), ...keepCached }).catch(() => undefined),
        ])
        return null
      },
      lazy: {
        Component: async () => (await entitiesPage()).EntitiesPage,
        ErrorBoundary: async () => (await entitiesPage()).EntitiesFailure,
      },
      children: [
        { index: true, element: null },
        pageRoute('newEntity', async () => (await import('./editor/NewEntityPage.tsx')).NewEntityPage),
        {
          path: pages.entity.path,
          element: null,
          handle: { prefetch: () => [EntityEditor.read()] } satisfies PageHandle,
          loader: async ({ params: { userId = '', entityId = '' } }) => {
            const [all] = await Promise.all([client.query(entitiesQuery(userId)), EntityEditor.read()])
            if (!all.some(({ id }) => id === entityId)) throw new ApiError({ status: 404 })
            return null
          },
          lazy: {
            ErrorBoundary: async () => (await import('./record/EntityFailure.tsx')).EntityFailure,
          },
        },
      ],
    },
  ]
}
