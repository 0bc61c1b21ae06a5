import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import type { Entity } from '#contract/index.ts'
import { readCounts, testService } from '#server/testing/hooks.ts'
import { network } from '../../../testing/network.ts'
import { renderApp, type RenderAppOptions } from '../../../testing/render-app.tsx'

const service = testService()
let edge: ReturnType<typeof network>
let owner: string
beforeEach(async () => {
  await service.reset()
  edge = network(service)
  for (let n = 0; n < 3; n += 1)
    await service.create('admin', '/users', {
      properties: [createSensitive('phone', `+49 ${n}`), { key: 'age', type: 'NUMBER', value: n }],
    })
  owner = await service.create('admin', '/users', {
    properties: [{ key: 'city', type: 'TEXT', value: 'Lyon' }],
  })
})

const createSensitive = (key: string, value: string) => ({ key, type: 'TEXT', value, sensitive: true })
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const lock = (name: string) => screen.getByRole('checkbox', { name: `${name} is sensitive` })

async function readEntities() {
  const { body } = await service.call('support', 'GET', `/users/${owner}/entities`)
  return (body as Entity[]).at(-1)?.properties
}

/** Opens the form of a new entity and types its type and the key of its first property. */
async function newEntity(type: string, key: string, options: Partial<RenderAppOptions> = {}) {
  await readCounts(service)
  const path = `/users/${owner}/entities/new`
  const { user } = renderApp({ service: { ...service, fetch: edge.fetch }, path, ...options })
  await user.type(await screen.findByRole('combobox', { name: 'Entity type' }, { timeout: 30_000 }), type)
  await user.type(screen.getByRole('combobox', { name: /^Property: / }), key)
  return user
}

test('a key that is typed in full takes type and lock from those who have it', async () => {
  const user = await newEntity('person', 'phone')
  await waitFor(() => expect(lock('Phone')).toBeChecked())
  expect(await screen.findByText('Marked as sensitive for all 3 users who have this property.')).toBeVisible()
  await user.type(screen.getByRole('textbox', { name: 'Value of Phone' }), '+49 9')
  await user.click(await button('Create entity'))
  await waitFor(async () =>
    expect(await readEntities()).toMatchObject([{ key: 'phone', sensitive: true, masked: true }]),
  )
})

test('sent before it is known what others have, it waits for that', async () => {
  const keys = Promise.withResolvers<undefined>()
  edge.meet(({ url }) => (/\/(?:keys|dictionary)/.test(url) ? keys.promise : undefined))
  const user = await newEntity('person', 'phone')
  await user.type(screen.getByRole('textbox', { name: 'Value of Phone' }), '+49 9')
  await user.click(await button('Create entity'))
  expect(edge.writes()).toEqual([])
  keys.resolve(undefined)
  await waitFor(async () =>
    expect(await readEntities()).toMatchObject([{ key: 'phone', sensitive: true, masked: true }]),
  )
})

test.each([
  ['typed', false],
  ['marked as sensitive and typed', true],
])(
  'a value %s before it is known what others have gets their type, and stays where it is typed',
  async (_, isMarked) => {
    const keys = Promise.withResolvers<undefined>()
    edge.meet(({ url }) => (/\/(?:keys|dictionary)/.test(url) ? keys.promise : undefined))
    const user = await newEntity('person', 'age')
    if (isMarked) await user.click(lock('Age'))
    const typed = screen.getByRole('textbox', { name: 'Value of Age' })
    await user.type(typed, '4')
    keys.resolve(undefined)
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Type of Age' })).toHaveValue('NUMBER'))
    await user.keyboard('2')
    expect(screen.getByRole('textbox', { name: 'Value of Age' })).toHaveValue('42')
    await user.click(await button('Create entity'))
    await waitFor(async () =>
      expect(await readEntities()).toMatchObject([
        { key: 'age', type: 'NUMBER', ...(isMarked ? { sensitive: true, masked: true } : { value: 42 }) },
      ]),
    )
  },
)

test('a property of unknown sensitivity is not sent in clear without an explicit choice', async () => {
  edge.meet(({ url }) =>
    /\/(?:keys|dictionary)/.test(url) ? new Response(null, { status: 503 }) : undefined,
  )
  const user = await newEntity('person', 'phone')
  await user.type(screen.getByRole('textbox', { name: 'Value of Phone' }), '+49 9')
  expect(await screen.findByText(/Couldn’t check whether this property is sensitive/)).toBeVisible()
  await user.click(await button('Create entity'))
  expect(await screen.findByText('Choose whether this property is sensitive, or try again.')).toBeVisible()
  expect(edge.writes()).toEqual([])
  edge.meet(() => undefined)
  await user.click(await button('Try again'))
  await waitFor(() => expect(lock('Phone')).toBeChecked())
  await user.click(await button('Create entity'))
  await waitFor(async () => expect(await readEntities()).toMatchObject([{ key: 'phone', sensitive: true }]))
})

test('opening it asks, and what was opened is hidden again under another key', async () => {
  const user = await newEntity('person', 'phone')
  await waitFor(() => expect(lock('Phone')).toBeChecked())
  await user.click(lock('Phone'))
  await user.click(await button('Make Phone readable'))
  expect(lock('Phone')).not.toBeChecked()
  expect(
    screen.getByText('Readable here, but marked as sensitive for all 3 users who have this property.'),
  ).toBeVisible()
  const key = screen.getByRole('combobox', { name: /^Property: / })
  await user.type(key, 'x')
  await user.type(key, '{Backspace}')
  expect(lock('Phone')).toBeChecked()
})

test('a property that is given the key of a hidden one becomes hidden', async () => {
  const { body } = await service.call('admin', 'GET', `/users/${owner}/entities`)
  const path = `/users/${owner}/entities/${(body as Entity[])[0]?.id}`
  const { user } = renderApp({ service: { ...service, fetch: edge.fetch }, path })
  const key = await screen.findByRole('combobox', { name: 'Property: City' })
  await user.clear(key)
  await user.type(key, 'phone')
  await waitFor(() => expect(lock('City')).toBeChecked())
  await user.clear(key)
  await user.type(key, 'city')
  await waitFor(() => expect(lock('City')).not.toBeChecked())
})
