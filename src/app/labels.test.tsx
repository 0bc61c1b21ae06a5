import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { network } from '../testing/network.ts'
import { renderApp } from '../testing/render-app.tsx'

const service = testService()
let ana: string
let segment: string

beforeEach(async () => {
  ana = await service.create('steward', '/users', { name: 'Ana' })
  await service.create('steward', `/users/${ana}/entities`, {
    type: 'car',
    properties: [{ key: 'colour', type: 'TEXT', value: 'red' }],
  })
  const filter = { entity: 'car', where: [{ key: 'colour', type: 'TEXT', op: 'eq', value: 'red' }] }
  segment = await service.create('admin', '/segments', { name: 'Red', filter })
  const definition = { label: { en: 'Paint' }, type: 'TEXT' }
  await service.call('admin', 'PUT', '/definitions/car/colour', definition)
})

const holdDefinitions = () => {
  const late = Promise.withResolvers<Response | undefined>()
  const edge = network(service, async ({ url }) =>
    url.endsWith('/definitions') ? await late.promise : undefined,
  )
  return { ...edge, resolve: late.resolve }
}

test.each([
  ['a segment', () => `/segments/${segment}`],
  ['the list of segments', () => '/segments'],
])(
  'properties are labelled as defined once the definitions arrive, in %s that is already there',
  async (_, path) => {
    const { fetch, resolve } = holdDefinitions()
    renderApp({ service: { ...service, fetch }, path: path() })
    expect((await screen.findAllByText(/colour is “red”/))[0]).toBeVisible()
    resolve(undefined)
    expect((await screen.findAllByText(/paint is “red”/))[0]).toBeVisible()
    expect(screen.queryAllByText(/colour is “red”/)).toEqual([])
  },
)

test('a record waits for the definitions, which order its rows, but not for a service that cannot tell them', async () => {
  const { fetch, requests, resolve } = holdDefinitions()
  renderApp({ service: { ...service, fetch }, path: `/users/${ana}` })
  await waitFor(() => expect(requests.some(({ path }) => path.includes('/entities'))).toBe(true))
  await waitFor(() => expect(requests.some(({ path }) => path.endsWith('/definitions'))).toBe(true))
  expect(screen.queryByText('red')).toBeNull()
  resolve(Response.json({ code: 'internal' }, { status: 500 }))
  expect(await screen.findByText('Colour')).toBeVisible()
})

test('a record is labelled as defined', async () => {
  renderApp({ service, path: `/users/${ana}` })
  expect(await screen.findByText('Paint')).toBeVisible()
  expect(screen.queryByText('Colour')).toBeNull()
})
