import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService({ jobs: true })
beforeEach(() => service.reset())

const person = (name: string) => service.create('admin', '/users', { name })
const countUsers = async () =>
  ((await service.call('admin', 'GET', '/users')).body as { total: number }).total

test('selected users are deleted by the keyboard once their number is typed, and the job says so', async () => {
  for (const name of ['Ana', 'Bob', 'Cid']) await person(name)
  const { user } = renderApp({ service, path: '/users' })
  await user.click(await screen.findByRole('checkbox', { name: 'Select Ana' }))
  await user.click(screen.getByRole('checkbox', { name: 'Select Bob' }))
  screen.getByRole('button', { name: 'Delete 2 users…' }).focus()
  await user.keyboard('{Enter}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete 2 users?' }))
  expect(dialog.getByRole('button', { name: 'Delete 2 users' })).toBeDisabled()
  await user.type(dialog.getByRole('textbox', { name: /Reference/ }), 'DSR-1')
  await user.tab()
  await user.keyboard('2{Enter}')
  expect(await screen.findByText('Finished', {}, { timeout: 60_000 })).toBeVisible()
  expect(screen.getByText('DSR-1')).toBeVisible()
  expect(await countUsers()).toBe(1)
})

test('nobody of a segment is deleted if its size is another by then', async () => {
  for (const name of ['Ana', 'Bob']) await person(name)
  const segment = await service.create('admin', '/segments', { name: 'All', filter: { all: [] } })
  const { user } = renderApp({ service, path: `/segments/${segment}` })
  await screen.findByRole('link', { name: 'Show 2 users' })
  await user.click(screen.getByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete 2 users…' }))
  await person('Cid')
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete 2 users?' }))
  await user.type(dialog.getByRole('textbox', { name: /2/ }), '2{Enter}')
  expect(await screen.findByText(/A different number of users was found/)).toBeVisible()
  expect(await countUsers()).toBe(3)
})

test('a person who may not delete users is told so', async () => {
  await person('Ana')
  const { user } = renderApp({ service, path: '/users', role: 'support' })
  await user.click(await screen.findByRole('checkbox', { name: 'Select Ana' }))
  expect(screen.getByRole('button', { name: 'Delete 1 user…' })).toHaveAttribute('aria-disabled', 'true')
})
