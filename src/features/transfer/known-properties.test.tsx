import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import type { Dictionary, Entity, UserList } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { network } from '../../testing/network.ts'
import { renderApp, type RenderAppOptions } from '../../testing/render-app.tsx'

const service = testService()
let edge: ReturnType<typeof network>
beforeEach(async () => {
  await service.reset()
  edge = network(service)
})

const createSensitive = (key: string, value: string) => ({ key, type: 'TEXT', value, sensitive: true })
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const rows = 'Name,Telefon\nRosa Klein,+49 30 1234567\nTom Berg,+49 30 7654321'

/** Waits until the dictionary includes the last write; it is recounted some time after each write. */
async function countKeys() {
  const asked = new Date().toISOString()
  await waitFor(async () => {
    const { body } = await service.call('admin', 'GET', '/dictionary')
    expect(((body as Dictionary).made ?? '') >= asked).toBe(true)
  })
}

async function columnsOf(pasted = rows, options: Partial<RenderAppOptions> = {}) {
  await countKeys()
  const { user } = renderApp({
    service: { ...service, fetch: edge.fetch },
    path: '/users/import',
    ...options,
  })
  const box = await screen.findByRole('textbox', { name: /Or paste rows/ })
  await user.click(box)
  await user.paste(pasted)
  await user.click(await button('Use pasted rows'))
  await user.click(await button('Next: columns'))
  return user
}

async function mapToProperty(user: Awaited<ReturnType<typeof columnsOf>>, key: string) {
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Telefon becomes' }), 'Property')
  const input = screen.getByRole('combobox', { name: 'Property for Telefon' })
  await user.clear(input)
  await user.type(input, key)
}

const lock = () => screen.getByRole('checkbox', { name: 'Telefon is sensitive' })

async function readImported(): Promise<Entity['properties'][]> {
  const { body } = await service.call('admin', 'GET', '/users')
  const found = (body as UserList).users.filter(({ name }) => name === 'Rosa Klein' || name === 'Tom Berg')
  return await Promise.all(
    found.map(async ({ id }) => {
      const { body: entities } = await service.call('support', 'GET', `/users/${id}/entities`)
      return (entities as Entity[]).flatMap(({ properties }) => properties)
    }),
  )
}

async function threeWithPhones() {
  for (let n = 0; n < 3; n += 1)
    await service.create('admin', '/users', {
      properties: [createSensitive('phone', `+49 ${n}`), createSensitive('iban', `DE${n}`)],
    })
}

test('a column that is given the key of hidden properties is hidden, and support cannot read it', async () => {
  await threeWithPhones()
  const user = await columnsOf()
  await mapToProperty(user, 'phone')
  expect(lock()).toBeChecked()
  expect(await screen.findByText('Marked as sensitive for all 3 users who have this property.')).toBeVisible()
  await user.click(await button('Check 2 rows'))
  expect(await screen.findByText(/Stored as hidden values: Phone\./)).toBeVisible()
  await user.click(await button('Import 2 users'))
  await screen.findByText('Import complete')
  const properties = await readImported()
  expect(properties).toHaveLength(2)
  for (const [phone] of properties)
    expect(phone).toMatchObject({ key: 'phone', sensitive: true, masked: true })
})

test('making it readable asks, with how many have it hidden, and each answer is done', async () => {
  await threeWithPhones()
  const user = await columnsOf()
  await mapToProperty(user, 'phone')
  await user.click(lock())
  const dialog = await screen.findByRole('dialog', { name: 'Make Phone readable?' })
  expect(dialog).toHaveTextContent(
    'Phone is marked as sensitive for all 3 users who have it. Everyone who can see users could read these values, and search would find them.',
  )
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(lock()).toBeChecked()
  await user.click(lock())
  await user.click(await button('Make Phone readable'))
  expect(lock()).not.toBeChecked()
  expect(
    screen.getByText('Readable here, but marked as sensitive for all 3 users who have this property.'),
  ).toBeVisible()
  await user.click(await button('Check 2 rows'))
  expect(await screen.findByText('Readable by everyone who can see users: Phone.')).toBeVisible()
  await user.click(await button('Back'))
  expect(await screen.findByRole('checkbox', { name: 'Telefon is sensitive' })).not.toBeChecked()
  // The earlier answer applied to the other key only.
  await mapToProperty(user, 'iban')
  expect(lock()).toBeChecked()
})

test('a key that is typed on into another one is open again, and takes the type of a known one', async () => {
  await threeWithPhones()
  await service.create('admin', '/users', { properties: [{ key: 'phones', type: 'NUMBER', value: 2 }] })
  const user = await columnsOf()
  await mapToProperty(user, 'phones')
  expect(lock()).not.toBeChecked()
  expect(screen.getByRole('combobox', { name: 'Type of Telefon' })).toHaveValue('NUMBER')
  await user.type(screen.getByRole('combobox', { name: 'Property for Telefon' }), '_old')
  expect(screen.getByRole('combobox', { name: 'Type of Telefon' })).toHaveValue('TEXT')
})

test('a key that is close to a hidden one is offered that one, and one of another type begins hidden', async () => {
  await threeWithPhones()
  const owner = await service.create('admin', '/users', {})
  await service.create('admin', `/users/${owner}/entities`, {
    type: 'account',
    properties: [createSensitive('number', '4711')],
  })
  const user = await columnsOf()
  await mapToProperty(user, 'Phone ')
  await user.click(await button('Use “phone”'))
  expect(lock()).toBeChecked()
  await mapToProperty(user, 'number')
  expect(lock()).toBeChecked()
  expect(await screen.findByText('Marked as sensitive, as in Account.')).toBeVisible()
  await user.click(lock())
  expect(lock()).not.toBeChecked()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the header of a known key is its property, hidden as it is', async () => {
  await threeWithPhones()
  await columnsOf(rows.replace('Telefon', 'PHONE'))
  expect(await screen.findByRole('checkbox', { name: 'PHONE is sensitive' })).toBeChecked()
})

test('while it is unknown which properties are hidden nothing is sent in clear, until a person decides or it is known', async () => {
  await threeWithPhones()
  edge.meet(({ url }) =>
    /\/(?:keys|dictionary|definitions)/.test(url) ? new Response(null, { status: 503 }) : undefined,
  )
  const user = await columnsOf()
  await mapToProperty(user, 'phone')
  const failure = await screen.findByRole('alert')
  expect(failure).toHaveTextContent('Couldn’t check which properties are sensitive')
  await user.click(await button('Check 2 rows'))
  expect(await screen.findByText('Choose whether this property is sensitive, or try again.')).toBeVisible()
  edge.meet(() => undefined)
  await user.click(within(failure).getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(lock()).toBeChecked())
  await user.click(await button('Check 2 rows'))
  expect(await screen.findByText(/Stored as hidden values: Phone\./)).toBeVisible()
})

test('while only the definitions are known, the properties that they call hidden are hidden', async () => {
  await threeWithPhones()
  edge.meet(({ url }) =>
    /\/(?:keys|dictionary)/.test(url) ? new Response(null, { status: 503 }) : undefined,
  )
  const user = await columnsOf()
  await mapToProperty(user, 'phone')
  await waitFor(() => expect(lock()).toBeChecked())
  await user.click(await button('Check 2 rows'))
  expect(await screen.findByText(/Stored as hidden values: Phone\./)).toBeVisible()
})

test('without the right to write hidden values the switch is off limits, and the column cannot be imported', async () => {
  await threeWithPhones()
  const user = await columnsOf(rows, {
    scopes: ['users:read', 'users:write', 'entities:read', 'entities:write'],
  })
  await mapToProperty(user, 'phone')
  expect(lock()).toBeChecked()
  expect(lock()).toBeDisabled()
  await user.click(await button('Check 2 rows'))
  expect(
    await screen.findByText('Your role can’t change sensitive values. Set this column to “Ignored”.'),
  ).toBeVisible()
})
