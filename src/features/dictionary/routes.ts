import type { QueryClient } from '@tanstack/react-query'
import type { RouteObject } from 'react-router'

import { pages } from '#contract/pages.ts'

import { keepCached } from '../../domain/loading.ts'
import { shellText } from '../../messages/index.ts'
import { listSkeleton } from '../../ui/skeletons/ListSkeleton.tsx'
import { dictionaryQuery } from '../../domain/queries/keys.ts'
import { dictionaryPlaces } from './places.ts'

const DictionarySkeleton = listSkeleton({
  title: shellText.pages.dictionary,
  lead: '480px',
  bars: [
    { width: '420px', isBox: true, space: '0 0 16px' },
    // Placeholder for the first entity type.
    { width: '240px', space: '8px 0' },
  ],
  places: dictionaryPlaces,
})

export function dictionaryRoutes(client: QueryClient): RouteObject[] {
  return [
    {
      path: pages.dictionary.path,
      handle: { title: shellText.pages.dictionary },
      HydrateFallback: DictionarySkeleton,
      async loader() {
        await client.query({ ...dictionaryQuery(), ...keepCached })
        return true
      },
      lazy: { Component: async () => (await import('./DictionaryPage.tsx')).DictionaryPage },
    },
  ]
}
