import type { QueryClient } from '@tanstack/react-query'
import type { RouteObject } from 'react-router'

import { ApiError, offers } from '../../api/index.ts'
import { kept } from '../../domain/loading.ts'
import { shellText } from '../../messages/index.ts'
import { dictionaryQuery } from './queries.ts'

export function dictionaryRoutes(client: QueryClient): RouteObject[] {
  return [
    {
      path: 'dictionary',
      handle: { title: shellText.pages.dictionary },
      async loader() {
        if (!offers('dictionary')) throw new ApiError({ status: 404, code: 'not_found' })
        await client.query({ ...dictionaryQuery(), ...kept })
        return true
      },
      lazy: { Component: async () => (await import('./DictionaryPage.tsx')).DictionaryPage },
    },
  ]
}
