import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Role } from '#contract/index.ts'
import { readCounts, testService } from '#server/testing/hooks.ts'
import { network } from '../../../testing/network.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const service = testService()
const path = '/definitions/person/tier'
beforeEach(async () => {
  await service.reset()
  for (const key of ['tier', 'rank'])
    await service.create('admin', '/users', {
      name: 'Ana',
      properties: [{ key, type: 'TEXT', value: 'gold' }],
    })
  await readCounts(service)
})

const define = (definition: object) => service.call('admin', 'PUT', path, definition)
const stored = async () => (await service.call('admin', 'GET', path)).body

/** Opens the panel of the property by keyboard. */
async function open(role: Role = 'steward', fetch = service.fetch) {
  const { user } = renderApp({ service: { ...service, fetch }, path: '/dictionary', role })
  const row = await screen.findByRole('row', { name: /tier/i })
  within(row)
    .getByRole('button', { name: /definition/ })
    .focus()
  await user.keyboard('{Enter}')
  const panel = within(await screen.findByRole('dialog'))
  return { user, panel, row }
}

test('defines a property that was only inferred', async () => {
  const { user, panel, row } = await open()
  expect(row).not.toHaveTextContent('Defined')
  const label = await panel.findByRole('textbox', { name: 'Label' })
  expect(panel.getByRole('combobox', { name: 'Data type' })).toHaveValue('TEXT')
  await user.type(label, 'Membership')
  await user.click(panel.getByRole('button', { name: 'Add choice' }))
  await user.type(panel.getByRole('textbox', { name: 'Value of choice 1' }), 'gold')
  await user.type(panel.getByRole('textbox', { name: 'Label of choice 1' }), 'Gold')
  await user.type(panel.getByRole('textbox', { name: 'Kept for' }), '10')
  await user.click(panel.getByRole('button', { name: 'Save definition' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByText('Definition of Membership saved')).toBeVisible()
  expect(await stored()).toMatchObject({
    label: { en: 'Membership' },
    type: 'TEXT',
    choices: [{ value: 'gold', label: { en: 'Gold' } }],
    keptFor: 'P10Y',
  })
  const renamed = await screen.findByRole('row', { name: /Membership/ })
  expect(renamed).toHaveTextContent('tier')
  expect(renamed).toHaveTextContent('Defined')
})

test('keeps what the form does not show, and other languages', async () => {
  await define({ label: { de: 'Stufe' }, sensitive: true, mask: 'first1', enforce: 'off' })
  const { user, panel } = await open()
  await user.type(await panel.findByRole('textbox', { name: 'Label (English)' }), 'Tier')
  await user.click(panel.getByRole('button', { name: 'Save definition' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await stored()).toMatchObject({
    label: { de: 'Stufe', en: 'Tier' },
    sensitive: true,
    mask: 'first1',
    enforce: 'off',
  })
})

test.each([
  { case: 'somebody changed it', first: { group: 'Old' } },
  { case: 'somebody wrote the first one', first: undefined },
])('asks which edit to keep where $case meanwhile', async ({ first }) => {
  if (first) await define(first)
  const { user, panel } = await open()
  const group = await panel.findByRole('textbox', { name: 'Group' })
  await user.clear(group)
  await user.type(group, 'Mine')
  await define({ group: 'Theirs', purpose: 'billing' })
  await user.click(panel.getByRole('button', { name: 'Save definition' }))
  const dialog = within(await screen.findByRole('dialog', { name: /has changed since you opened it$/ }))
  expect(await stored()).toMatchObject({ group: 'Theirs' })
  await user.click(dialog.getByRole('radio', { name: /Mine/ }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await stored()).toMatchObject({ group: 'Mine', purpose: 'billing' })
})

test('shows both versions to the second of two people who define at once, and keeps all that was typed', async () => {
  const statuses: number[] = []
  const edge = network(service, async ({ method }, onward) => {
    if (method !== 'PUT') return undefined
    if (statuses.length === 0) await define({ group: 'Theirs', purpose: 'billing' })
    const answer = await onward()
    statuses.push(answer.status)
    return answer
  })
  const { user, panel } = await open('steward', edge.fetch)
  const group = await panel.findByRole('textbox', { name: 'Group' })
  await user.type(group, 'Mine')
  await user.type(panel.getByRole('textbox', { name: 'Recipients' }), 'Accounting')
  await user.click(panel.getByRole('button', { name: 'Save definition' }))
  const conflict = () => screen.findByRole('dialog', { name: /has changed since you opened it$/ })
  const dialog = within(await conflict())
  expect(statuses).toEqual([412])
  expect(await stored()).toMatchObject({ group: 'Theirs', purpose: 'billing' })
  const sides = within(dialog.getByRole('group', { name: 'Group' }))
  expect(sides.getByRole('radio', { name: /Mine/ })).toBeVisible()
  expect(sides.getByRole('radio', { name: /Theirs/ })).toBeVisible()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
  expect(group).toHaveValue('Mine')
  expect(panel.getByRole('textbox', { name: 'Recipients' })).toHaveValue('Accounting')
  await user.click(panel.getByRole('button', { name: 'Save definition' }))
  const again = within(await conflict())
  await user.click(again.getByRole('radio', { name: /Theirs/ }))
  await user.click(again.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await stored()).toMatchObject({ group: 'Theirs', purpose: 'billing', recipients: 'Accounting' })
})

test('shows what the service refuses at its field', async () => {
  await service.call('admin', 'PUT', '/definitions/person/rank', { label: { en: 'Level' } })
  const { user, panel } = await open()
  const label = await panel.findByRole('textbox', { name: 'Label' })
  await user.type(label, 'level')
  await user.click(panel.getByRole('button', { name: 'Save definition' }))
  await waitFor(() => expect(label).toBeInvalid())
  expect(label).toHaveAccessibleDescription(/has this label/)
})

test('has no complaint about a choice that is still empty, and saves without it', async () => {
  const { user, panel } = await open()
  const add = await panel.findByRole('button', { name: 'Add choice' })
  const valueOf = (place: number) => panel.getByRole('textbox', { name: `Value of choice ${place}` })
  await user.click(add)
  await user.click(add)
  await user.type(valueOf(2), 'gold')
  await user.click(add)
  await user.type(valueOf(3), 'gold')
  await user.click(add)
  // The second "gold" is the one that is wrong, so all others have been checked too.
  await waitFor(() => expect(valueOf(3)).toBeInvalid())
  for (const place of [1, 2, 4]) expect(valueOf(place)).toBeValid()
  await user.type(valueOf(3), 'en')
  await waitFor(() => expect(valueOf(3)).toBeValid())
  await user.click(panel.getByRole('button', { name: 'Save definition' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await stored()).toMatchObject({ choices: [{ value: 'gold' }, { value: 'golden' }] })
})

test('asks before unsaved input is closed, and says at the choice what is missing', async () => {
  const { user, panel } = await open()
  await user.click(await panel.findByRole('button', { name: 'Add choice' }))
  const label = panel.getByRole('textbox', { name: 'Label of choice 1' })
  await user.type(label, 'Gold')
  await user.click(panel.getByRole('button', { name: 'Save definition' }))
  const value = panel.getByRole('textbox', { name: 'Value of choice 1' })
  await waitFor(() => expect(value).toBeInvalid())
  await user.clear(label)
  await waitFor(() => expect(value).toBeValid())
  await user.keyboard('{Escape}')
  expect(await screen.findByRole('dialog', { name: /unsaved|leave|discard/i })).toBeVisible()
})

test('removes a definition after asking', async () => {
  await define({ label: { en: 'Membership' } })
  const { user, panel } = await open()
  await user.click(await panel.findByRole('button', { name: 'Remove definition' }))
  const dialog = within(await screen.findByRole('dialog', { name: /Remove the definition of/ }))
  await user.click(dialog.getByRole('button', { name: 'Remove definition' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(screen.getByRole('row', { name: /tier/i })).not.toHaveTextContent('Defined'))
  expect(screen.getByRole('row', { name: /^Tier/ })).toBeVisible()
  expect((await service.call('admin', 'GET', path)).status).toBe(404)
})

test('is read only, with the reason, for roles that may not define', async () => {
  await define({ purpose: 'billing' })
  const { panel } = await open('support')
  expect(await panel.findByText('billing')).toBeVisible()
  expect(panel.getByText('Your role can’t change definitions.')).toBeVisible()
  expect(panel.queryByRole('textbox')).toBeNull()
})

describe('entity types', () => {
  const typePath = '/definitions/person'
  const ofType = async () => (await service.call('admin', 'GET', typePath)).body

  async function openType(role: Role = 'steward') {
    const { user } = renderApp({ service, path: '/dictionary', role })
    const section = within(await screen.findByRole('region', { name: 'person' }))
    const opener = await section.findByRole('button', {
      name: role === 'steward' ? /^Edit definition of/ : /^Show definition of (Person|Customer)/,
    })
    opener.focus()
    await user.keyboard('{Enter}')
    const panel = within(await screen.findByRole('dialog'))
    return { user, panel, opener }
  }

  test('defines an entity type that was only inferred', async () => {
    const { user, panel, opener } = await openType()
    await user.type(await panel.findByRole('textbox', { name: 'Label' }), 'Customer')
    await user.type(panel.getByRole('textbox', { name: 'Plural' }), 'Customers')
    await user.type(panel.getByRole('textbox', { name: 'Description' }), 'Buys from us.')
    await user.selectOptions(panel.getByRole('combobox', { name: 'Icon' }), 'Phone')
    await user.type(panel.getByRole('textbox', { name: 'Title' }), '{{tier}')
    expect(panel.queryByRole('combobox', { name: 'Data type' })).toBeNull()
    await user.click(panel.getByRole('button', { name: 'Save definition' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await screen.findByText('Definition of Customer saved')).toBeVisible()
    expect(opener).toHaveFocus()
    expect(await ofType()).toMatchObject({
      type: 'person',
      label: { en: 'Customer' },
      plural: { en: 'Customers' },
      description: { en: 'Buys from us.' },
      icon: 'phone',
      title: '{tier}',
    })
    expect(await screen.findByRole('heading', { name: 'Customer' })).toBeVisible()
  })

  test('keeps what the form does not show of an entity type, and its properties', async () => {
    await define({ label: { en: 'Tier' } })
    await service.call('admin', 'PUT', typePath, {
      plural: { de: 'Kunden' },
      title: '{tier}',
      noOtherKeys: true,
    })
    const { user, panel } = await openType()
    await user.type(await panel.findByRole('textbox', { name: 'Plural (English)' }), 'Customers')
    await user.click(panel.getByRole('button', { name: 'Save definition' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await ofType()).toMatchObject({
      plural: { de: 'Kunden', en: 'Customers' },
      title: '{tier}',
      noOtherKeys: true,
    })
    expect(await stored()).toMatchObject({ label: { en: 'Tier' } })
  })

  test.each([
    { case: 'somebody changed it', first: { title: 'Old' } },
    { case: 'somebody wrote the first one', first: undefined },
  ])('asks which edit of an entity type to keep where $case meanwhile', async ({ first }) => {
    if (first) await service.call('admin', 'PUT', typePath, first)
    const { user, panel } = await openType()
    const title = await panel.findByRole('textbox', { name: 'Title' })
    await user.clear(title)
    await user.type(title, 'Mine')
    await service.call('admin', 'PUT', typePath, { title: 'Theirs', icon: 'car' })
    await user.click(panel.getByRole('button', { name: 'Save definition' }))
    const dialog = within(await screen.findByRole('dialog', { name: /has changed since you opened it$/ }))
    expect(await ofType()).toMatchObject({ title: 'Theirs' })
    await user.click(dialog.getByRole('radio', { name: /Mine/ }))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await ofType()).toMatchObject({ title: 'Mine', icon: 'car' })
  })

  test('removes the definition of an entity type, and leaves those of its properties', async () => {
    await define({ label: { en: 'Tier' } })
    await service.call('admin', 'PUT', typePath, { label: { en: 'Customer' } })
    const { user, panel } = await openType()
    await user.click(await panel.findByRole('button', { name: 'Remove definition' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove the definition of Customer?' }))
    await user.click(dialog.getByRole('button', { name: 'Remove definition' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(await screen.findByRole('heading', { name: 'Person' })).toBeVisible()
    expect((await service.call('admin', 'GET', typePath)).status).toBe(404)
    expect(await stored()).toMatchObject({ label: { en: 'Tier' } })
  })

  test('shows the definition of an entity type, with the reason, to roles that may not define', async () => {
    await service.call('admin', 'PUT', typePath, { label: { en: 'Customer' }, icon: 'person' })
    const { panel } = await openType('support')
    expect(await panel.findByText('Icon')).toBeVisible()
    expect(panel.getByText('Person')).toBeVisible()
    expect(panel.getByText('Your role can’t change definitions.')).toBeVisible()
    expect(panel.queryByRole('textbox')).toBeNull()
  })
})
