import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { renderApp } from '../testing/render-app.tsx'
import { clearToasts, showToast } from '../ui/toast.tsx'

const service = testService()
let id = ''
beforeEach(async () => {
  clearToasts()
  await service.reset()
  const properties = [{ key: 'city', type: 'TEXT', value: 'Canary city' }]
  id = await service.create('admin', '/users', {
    name: 'Canary Ana',
    email: 'canary@example.org',
    properties,
  })
})

const whole = () => document.documentElement.outerHTML
const findLock = () => screen.findByRole('dialog', { name: 'Sign in again to continue' })

async function open(path: string) {
  const app = renderApp({ service, path, role: 'steward' })
  await screen.findAllByText(/Canary/)
  const lock = () => act(async () => app.session.become({ status: 'locked', reason: 'idle' }))
  const unlock = () => act(async () => app.session.become({ status: 'active' }))
  return { ...app, lock, unlock }
}

test.each(['/users', '/users/ID', '/users/ID/activity', '/users/ID/record', '/users/ID/access'])(
  'behind the lock nothing of %s is in the document, and all of it after',
  async (path) => {
    const { lock, unlock } = await open(path.replace('ID', id))
    act(() => showToast({ message: 'Canary Ana was saved' }))
    expect(await screen.findByText('Canary Ana was saved')).toBeVisible()
    await lock()
    expect(await findLock()).toBeVisible()
    expect(whole()).not.toMatch(/canary/i)
    await unlock()
    expect((await screen.findAllByText(/Canary/)).length).toBeGreaterThan(0)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByRole('heading', { level: 1 })).toBeVisible()
  },
)

test('a locked session closes the find dialog with all its results', async () => {
  const { user, lock, unlock } = await open('/users')
  await user.click(screen.getByRole('button', { name: /^Find/ }))
  await user.type(await screen.findByRole('combobox', { name: /Find/ }), 'Canary')
  const dialog = await screen.findByRole('dialog')
  await within(dialog).findAllByText(/Canary/)
  await lock()
  await findLock()
  expect(whole()).not.toMatch(/canary/i)
  await unlock()
  expect(await screen.findByRole('link', { name: 'Canary Ana' })).toBeVisible()
})

test('an edit is restored as it was typed, without the values around it', async () => {
  const { user, lock, unlock } = await open(`/users/${id}`)
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await user.type(name, ' Lopez')
  await lock()
  await findLock()
  expect(name).toBeInTheDocument()
  expect(whole()).not.toContain('Canary city')
  await unlock()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(name).toHaveValue('Canary Ana Lopez')
  expect(await screen.findByText('Canary city')).toBeVisible()
})

test('a text typed in a dialog stays too, even if leaving the dialog asks no question', async () => {
  const { user, lock, unlock } = await open(`/users/${id}`)
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete user…' }))
  const box = await screen.findByRole('textbox', { name: /^Type/ })
  await user.type(box, 'cana')
  await lock()
  await findLock()
  await unlock()
  await waitFor(() => expect(screen.queryByText('Sign in again to continue')).toBeNull())
  expect(await screen.findByRole('textbox', { name: /^Type/ })).toHaveValue('cana')
})
