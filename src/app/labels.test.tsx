import { screen } from '@testing-library/react'
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

test.each([
  ['a record', () => `/users/${ana}`, /^Colour$/, /^Paint$/],
  ['a sentence', () => `/segments/${segment}`, /colour is “red”/, /paint is “red”/],
])(
  'properties are labelled as defined once the definitions arrive, in %s',
  async (_, path, before, after) => {
    const late = Promise.withResolvers<void>()
    const { fetch } = network(service, async ({ url }) => {
      if (url.endsWith('/definitions')) await late.promise
      return undefined
    })
    renderApp({ service: { ...service, fetch }, path: path() })
    expect((await screen.findAllByText(before))[0]).toBeVisible()
    late.resolve()
    expect((await screen.findAllByText(after))[0]).toBeVisible()
    expect(screen.queryAllByText(before)).toEqual([])
  },
)
