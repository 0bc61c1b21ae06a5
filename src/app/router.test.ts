import { QueryClient } from '@tanstack/react-query'
import type { RouteObject } from 'react-router'
import { expect, test } from 'vitest'

import { features } from '#contract/feature.ts'
import { pages } from '#contract/page-paths.ts'
import { connect } from '../api/connection.ts'
import { pages as routes } from './router.tsx'

/** Returns the addresses of all pages. */
function addresses(of: readonly RouteObject[]): string[] {
  return of.flatMap(({ path, children }) => [
    ...(path === undefined ? [] : [path]),
    ...addresses(children ?? []),
  ])
}

test('each page of the contract has a route, so that the service sends the console only where it shows something', () => {
  connect({ apiUrl: 'https://api.test', tokens: undefined as never, features })
  const routed = new Set(addresses(routes(new QueryClient())))
  // The page for unknown addresses exists only inside the console.
  routed.delete('*')
  expect([...routed].toSorted()).toEqual(
    Object.values(pages)
      .map(({ path }) => path)
      .toSorted(),
  )
})
