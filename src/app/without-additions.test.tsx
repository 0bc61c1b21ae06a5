import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import type { Role } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { renderApp } from '../testing/render-app.tsx'

// Tests the console over a service without additions: missing functions are not offered, and differences are explained.

const service = testService({ additions: 'none' })
beforeEach(() => service.reset())

const button = (name: string) => screen.findByRole('button', { name })
const person = {
  type: 'person',
  properties: [
    { key: 'city', type: 'TEXT', value: 'Lyon' },
    { key: 'iban', type: 'TEXT', sensitive: true, value: 'ES91' },
  ],
}

async function openEntity(role: Role) {
  const user = await service.create('admin', '/users', { name: 'Ana' })
  const entity = await service.create('admin', `/users/${user}/entities`, person)
  const app = renderApp({ service, path: `/users/${user}/entities/${entity}`, role })
  await screen.findByRole('form', { name: 'person' })
  return app
}

test('the navigation has the areas of the document alone', async () => {
  renderApp({ service, path: '/users' })
  const areas = within(await screen.findByRole('navigation', { name: 'Main' }))
  const shown = areas.getAllByRole('link').map(({ textContent }) => textContent)
  for (const area of ['Users', 'Segments', 'Events']) expect(shown).toContain(area)
  for (const area of ['Home', 'Audit log', 'Dictionary', 'Webhooks']) expect(shown).not.toContain(area)
})

test('a new segment is put into words, but not counted before it is saved', async () => {
  renderApp({ service, path: '/segments/new' })
  const about = within(await screen.findByRole('complementary', { name: 'About this filter' }))
  expect(about.getByText('All users.')).toBeVisible()
  expect(about.queryByRole('region')).toBeNull()
})

test('a segment is duplicated, but not edited, checked for a user or used for a bulk change', async () => {
  const id = await service.create('admin', '/segments', { name: 'All', filter: { all: [] } })
  const { user, router } = renderApp({ service, path: `/segments/${id}` })
  await user.click(await button('More actions'))
  expect(await screen.findByRole('menuitem', { name: 'Duplicate…' })).toBeVisible()
  expect(screen.queryByRole('menuitem', { name: 'Bulk change…' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull()
  expect(screen.queryByRole('heading', { name: 'Check a user' })).toBeNull()
  await router.navigate(`/segments/${id}/edit`)
  expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
})

test('hidden values are said to be hidden on screen only, and are not in the review, which asks for no reason', async () => {
  const { user } = await openEntity('steward')
  expect(screen.getByText(/^Sensitive values are hidden on screen only/)).toBeVisible()
  await user.click(await button('Remove City'))
  await user.click(await button('Review…'))
  const dialog = await screen.findByRole('dialog')
  const review = within(dialog)
  expect(review.getByRole('button', { name: /^Save 1/ })).toBeVisible()
  expect(review.queryByRole('textbox', { name: /^Reason/ })).toBeNull()
  await user.click(review.getByText('Show the exact request'))
  expect(await review.findByText(/^PUT \/users/)).toHaveTextContent('"value": "hidden"')
  expect(dialog.outerHTML).not.toContain('ES91')
})

test('a hidden value is not compared with what a caller says', async () => {
  await openEntity('support')
  expect(screen.queryByRole('button', { name: 'Check IBAN' })).toBeNull()
})

test('users are listed by pages and by segment, and the page says which service could search them', async () => {
  for (let index = 1; index <= 51; index += 1)
    await service.create('admin', '/users', { name: `Person ${index}` })
  const filter = { user: 'name', op: 'eq', value: 'Person 7' }
  await service.create('admin', '/segments', { name: 'Seven', filter })
  const { user } = renderApp({ service, path: '/users' })
  expect(await screen.findByText('1–50 of 51')).toBeVisible()
  expect(screen.getByText(/^Searching and filtering need a Data Store service/)).toBeVisible()
  expect(screen.queryByRole('searchbox')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Filter' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Import' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Name' })).toBeNull()
  expect(screen.queryByText(/returns to the search/)).toBeNull()

  await user.click(await button('Next'))
  expect(await screen.findByText('51–51 of 51')).toBeVisible()
  await user.click(await button('Previous'))
  expect(await screen.findByText('1–50 of 51')).toBeVisible()
  await user.click(await button('Segment: All users'))
  await user.click(await screen.findByRole('option', { name: 'Seven' }))
  expect(await screen.findByText('1 user')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Person 7' })).toBeVisible()
})

test('the list of users offers no column of a property, no selection and no export', async () => {
  await service.create('admin', '/users', { name: 'Ana' })
  const { user } = renderApp({ service, path: '/users' })
  await user.click(await button('Columns and row height'))
  expect(await screen.findByRole('menuitem', { name: 'Reset' })).toBeVisible()
  expect(screen.queryByRole('menuitem', { name: 'Add property…' })).toBeNull()
  await user.keyboard('{Escape}')
  expect(await screen.findByRole('link', { name: 'Ana' })).toBeVisible()
  expect(screen.queryByRole('checkbox', { name: 'Select Ana' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Export' })).toBeNull()
  expect(screen.getByText('↑ ↓ move · Enter opens · Space previews')).toBeVisible()
  screen.getByRole('link', { name: 'Ana' }).focus()
  await user.keyboard('{Shift>} {/Shift}{Control>}a{/Control}?')
  const keys = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }))
  expect(keys.queryByText(/^Select/)).toBeNull()
  expect(screen.queryByRole('region', { name: 'Selection', hidden: true })).toBeNull()
})

test('the deletion of a user promises no receipt and names no final date', async () => {
  const id = await service.create('admin', '/users', { name: 'Ana' })
  const { user } = renderApp({ service, path: `/users/${id}` })
  await user.click(await button('More actions'))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete user…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Ana?' }))
  expect(dialog.getByRole('button', { name: 'Delete user' })).toBeVisible()
  expect(dialog.queryByText(/unrecoverable/)).toBeNull()
  expect(dialog.queryByRole('textbox', { name: /^Reference/ })).toBeNull()
})
