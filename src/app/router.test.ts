import { QueryClient } from '@tanstack/react-query'
import type { RouteObject } from 'react-router'
import { expect, test } from 'vitest'

import { consoleAddresses } from '#server/http/console.ts'

import { pages } from './router.tsx'

/** Each address at which a page begins, with `:id` for any parameter. */
function addresses(routes: readonly RouteObject[], above: readonly string[] = []): string[] {
  return routes.flatMap(({ path, index, children }) => {
    const segments = path === undefined ? above : [...above, path]
    const own = path !== undefined || index === true ? [segments.join('/').replaceAll(/:\w+/g, ':id')] : []
    return [...own, ...addresses(children ?? [], segments)]
  })
}

test('the service sends the page to the address of every page, so that a reload and a link find it', () => {
  const routed = new Set(addresses(pages(new QueryClient())))
  // The page for what is unknown is met inside the console alone.
  routed.delete('*')
  expect([...consoleAddresses].toSorted()).toEqual([...routed].toSorted())
})
