import { waitFor } from '@testing-library/react'
import { cleanup } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'

import { startTestService, type TestService } from '#server/testing/service.ts'
import { renderApp } from '../testing/render-app.tsx'
import { firstRequests } from './begin.ts'

let service: TestService
let user: string
let entity: string
let segment: string
let job: string
beforeAll(async () => {
  service = await startTestService()
  user = await service.create('admin', '/users', { name: 'Ana' })
  entity = await service.create('admin', `/users/${user}/entities`, { type: 'person', properties: [] })
  const filter = { all: [] }
  segment = await service.create('admin', '/segments', { name: 'All persons', filter })
  const set = { entity: 'person', key: 'city', type: 'TEXT', value: 'Jena' }
  job = await service.create('admin', '/users/batch', { ids: [user], set, dryRun: true })
})
afterAll(() => service.close())
afterEach(cleanup)

/** Opens a page and returns a function that lists its `GET` requests, with sorted parameters. */
async function recordRequests(path: string, features: TestService['features']): Promise<() => string[]> {
  const asked: string[] = []
  const noted: typeof fetch = (input, init) => {
    const { method, url } = new Request(input, init)
    if (method === 'GET') asked.push(url.slice(service.baseUrl.length))
    return service.fetch(input, init)
  }
  const { findByRole } = renderApp({ service: { ...service, features, fetch: noted }, path })
  await findByRole('heading', { level: 1 })
  return () => asked.map(sortQuery)
}

function sortQuery(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://service.test')
  searchParams.sort()
  return `${pathname}?${searchParams}`
}

const pages = () => [
  '/users',
  `/users?segment=${segment}`,
  '/users/new',
  '/users/batch',
  `/users/batch/${job}`,
  '/jobs',
  `/jobs/${job}`,
  `/users/${user}`,
  `/users/${user}/entities/${entity}`,
  `/users/${user}/entities/new`,
  `/users/${user}/segments`,
  `/users/${user}/activity`,
  `/users/${user}/record`,
  `/users/${user}/access`,
  '/segments',
  '/segments/new',
  `/segments/new?from=${segment}`,
  '/segments/new?from=100%25',
  `/segments/${segment}`,
  `/segments/${segment}/edit`,
  '/events',
  '/webhooks',
  '/dictionary',
]

describe.each([
  ['of a service with all additions', (all: TestService['features']) => all],
  ['of the bare document', () => ({})],
])('the early requests %s', (_, featuresOf) => {
  test.each([...Array(23).keys()])('are among those of page %i', async (index) => {
    const path = pages()[index] ?? ''
    const features = featuresOf(service.features)
    const { pathname, searchParams } = new URL(path, 'http://console.test')
    const prefetched = firstRequests(pathname.slice(1), searchParams, features).map(sortQuery)
    const asked = await recordRequests(path, features)
    await waitFor(() => expect(asked()).toEqual(expect.arrayContaining(prefetched)))
  })
})

test('an address that cannot be decoded causes no early request, and its page says that it does not exist', async () => {
  const paths = ['users/100%', 'users/%E0%A4/activity', 'segments/100%', 'webhooks/100%']
  const prefetched = paths.flatMap((path) => firstRequests(path, new URLSearchParams(), service.features))
  expect(prefetched).toEqual([])
  // The router warns of such an address.
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { findByRole } = renderApp({ service, path: '/users/100%' })
  expect(await findByRole('heading', { level: 1, name: 'User not found' })).toBeVisible()
})
