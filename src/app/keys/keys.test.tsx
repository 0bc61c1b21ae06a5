import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startTestService, type TestService } from '#server/testing/service.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { storeKeysOn } from './preferences.ts'

let service: TestService
let id: string
beforeAll(async () => {
  service = await startTestService()
  id = await service.create('admin', '/users', { name: 'Ana' })
  const properties = ['city', 'phone'].map((key) => ({ key, type: 'TEXT', value: `the ${key}` }))
  await service.create('admin', `/users/${id}/entities`, { type: 'person', properties })
})
afterAll(() => service.close())

async function open() {
  const app = renderApp({ service, path: `/users/${id}`, role: 'steward' })
  await screen.findByText('the city')
  return app
}

test('g and a letter go to an area, / to the list’s box, where letters are only letters', async () => {
  const { user, router } = await open()
  await user.keyboard('gd')
  await waitFor(() => expect(router.state.location.pathname).toBe('/dictionary'))
  await user.keyboard('gu')
  await waitFor(() => expect(router.state.location.pathname).toBe('/users'))
  await screen.findByRole('link', { name: 'Ana' })
  await user.keyboard('/')
  const box = within(screen.getByRole('main')).getByRole('searchbox')
  await waitFor(() => expect(box).toHaveFocus())
  await user.keyboard('gs?')
  expect(box).toHaveValue('gs?')
  await waitFor(() => expect(router.state.location.pathname).toBe('/users'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a blank right after / presses what has the focus: the key was no word', async () => {
  const { user } = await open()
  await user.keyboard('/')
  const account = screen.getByRole('button', { name: /^Account/ })
  account.focus()
  await user.keyboard(' ')
  expect(await screen.findByRole('menu')).toBeVisible()
})

test('e goes to the first property, and there edits it', async () => {
  const { user } = await open()
  await user.keyboard('e')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Edit City' })).toHaveFocus())
  await user.keyboard('{ArrowDown}e')
  await waitFor(() => expect(screen.getByLabelText('Value of Phone')).toHaveFocus())
})

test('e on the pencil of the name edits the name', async () => {
  const { user } = await open()
  screen.getByRole('button', { name: 'Edit Name' }).focus()
  await user.keyboard('e')
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus())
})

test('a adds a property to the entity that has the focus, or else to the first', async () => {
  const properties = [{ key: 'model', type: 'TEXT', value: 'the model' }]
  await service.create('admin', `/users/${id}/entities`, { type: 'car', properties })
  const { user } = await open()
  await user.keyboard('a')
  const key = () => screen.findByRole('combobox', { name: 'Property: new property' })
  await waitFor(async () => expect(await key()).toHaveFocus())
  expect(screen.getByRole('form', { name: 'person' })).toContainElement(await key())
  // An empty row holds no input that could be lost.
  await user.click(screen.getByRole('link', { name: 'Close editor' }))
  await waitFor(() => expect(screen.queryByRole('form')).toBeNull())
  screen.getByRole('button', { name: 'Edit Model' }).focus()
  await user.keyboard('a')
  await waitFor(async () => expect(await key()).toHaveFocus())
  expect(screen.getByRole('form', { name: 'the model car' })).toContainElement(await key())
  await user.keyboard('a')
  expect(screen.getByRole('combobox', { name: 'Property: A' })).toHaveValue('a')
})

test('single keys do nothing at any control of a form or a dialog', async () => {
  const { user, router } = await open()
  await user.click(screen.getByRole('link', { name: 'Edit person' }))
  const form = await screen.findByRole('form', { name: 'person' })
  // Until the editor has the focus, what is typed is kept for it.
  await waitFor(() => expect(form).toContainElement(document.activeElement as HTMLElement))
  const controls = form.querySelectorAll<HTMLElement>('a, button, input, select, textarea')
  expect(controls.length).toBeGreaterThan(10)
  for (const control of controls) {
    control.focus()
    for (const key of ['g', 'u', 'e', 'a', '?', '[', ']', '/']) fireEvent.keyDown(control, { key })
  }
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByRole('combobox', { name: 'Property: new property' })).toBeNull()
  expect([router.state.location.pathname, router.state.navigation.state]).toEqual([
    expect.stringContaining('/entities/'),
    'idle',
  ])
  // A blank among words that are typed over a button does not press it either.
  screen.getByRole('button', { name: 'Remove City' }).focus()
  await user.keyboard('foo bar baz')
  expect(screen.getByLabelText('Value of City')).toHaveValue('the city')
  await user.click(screen.getByRole('button', { name: 'Edit' }))
  const name = await screen.findByRole('textbox', { name: 'Name' })
  const cancel = within(name.closest('form') ?? name).getByRole('button', { name: 'Cancel' })
  cancel.focus()
  await user.keyboard('gu')
  expect(cancel).toHaveFocus()
  expect(router.state.navigation.state).toBe('idle')
})

test('? tells the keys; without single keys they do nothing, and the account menu brings them back', async () => {
  const { user, router } = await open()
  await user.keyboard('?')
  const sheet = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  await user.click(sheet.getByRole('checkbox', { name: 'Single-key shortcuts' }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.keyboard('gu?')
  await user.click(screen.getByRole('button', { name: /^Account/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Keyboard shortcuts' }))
  const single = await screen.findByRole('checkbox', { name: 'Single-key shortcuts' })
  expect(single).not.toBeChecked()
  await waitFor(() => expect(router.state.location.pathname).toBe(`/users/${id}`))
  await user.click(single)
  expect(single).toBeChecked()
})

test.each([
  [
    'admin',
    [
      'Go to Webhooks',
      'Add a property to the selected entity, or to the first one',
      'Filter the users',
      'Save an open value, or review the changes of a whole entity',
    ],
  ],
  ['support', ['Find anything, or a value to edit', 'Filter the users', 'Save an open value']],
  ['integrator', ['Find anything', 'Go to Webhooks', 'Go to Events']],
] as const)('? lists for %s the keys of what the role can do alone', async (role, offered) => {
  const { user } = renderApp({ service, path: '/events', role })
  await screen.findByRole('heading', { level: 1, name: 'Events' })
  await user.keyboard('?')
  const sheet = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  for (const effect of offered) expect(sheet.getByText(effect)).toBeVisible()
  if (role !== 'admin') expect(sheet.queryByText(/^Add a property|^Go to Audit log/)).toBeNull()
  if (role === 'support') expect(sheet.queryByText(/Go to Webhooks|entity/)).toBeNull()
  if (role === 'integrator') expect(sheet.queryByText(/user|value|Go to Segments/)).toBeNull()
})

test('brackets lead through the list, also with AltGr, and only where single keys act', async () => {
  const ids = [id, await service.create('admin', '/users', { name: 'Bea' })]
  ids.push(await service.create('admin', '/users', { name: 'Cleo' }))
  const { user, router } = renderApp({ service, path: '/users', role: 'steward' })
  await user.click(await screen.findByRole('link', { name: 'Ana' }))
  await screen.findByRole('button', { name: /^Next user in the list/ })
  const isAt = (at: number) => router.state.location.pathname === `/users/${ids[at]}`
  const next = () =>
    fireEvent.keyDown(document.body, { key: ']', ctrlKey: true, altKey: true, modifierAltGraph: true })
  storeKeysOn(false)
  next()
  expect([isAt(0), router.state.navigation.state]).toEqual([true, 'idle'])
  storeKeysOn(true)
  next()
  await waitFor(() => expect(isAt(1)).toBe(true))
})

test('a bracket key acts as soon as its buttons are there', async () => {
  const { user, router } = renderApp({ service, path: '/users', role: 'steward' })
  const link = await screen.findByRole('link', { name: 'Ana' })
  let from = ''
  const changes = new MutationObserver(() => {
    if (!screen.queryByRole('button', { name: /^Next user in the list/, hidden: true })) return
    changes.disconnect()
    from = router.state.location.pathname
    fireEvent.keyDown(document.body, { key: ']' })
  })
  changes.observe(document.body, { subtree: true, childList: true })
  await user.click(link)
  await waitFor(() => expect(from).toBe(`/users/${id}`))
  await waitFor(() => expect(router.state.location.pathname).not.toBe(from))
})
