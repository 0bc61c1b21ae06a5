import { screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import type { TestService } from '#server/testing/service.ts'
import { network } from '../../testing/network.ts'
import { renderApp, type RenderAppOptions } from '../../testing/render-app.tsx'

const full = testService()
const bare = testService({ additions: 'none' })
beforeEach(() => Promise.all([full.reset(), bare.reset()]))
const { innerWidth } = window
// Wide enough for all that are pinned here.
beforeEach(() => void Object.assign(window, { innerWidth: 1440 }))
afterEach(() => {
  Object.assign(window, { innerWidth })
  localStorage.clear()
})

function open(service: TestService, path: string, options: Partial<RenderAppOptions> = {}) {
  const edge = network(service)
  return { edge, ...renderApp({ service: { ...service, fetch: edge.fetch }, path, ...options }) }
}
type Open = ReturnType<typeof open>

async function choose({ user }: Open, item: string) {
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: item }))
}
const findPins = async () => within(await screen.findByRole('list', { name: 'Pinned users', hidden: true }))

describe.each([
  ['all additions', full],
  ['none', bare],
])('on a service with %s', (_, service) => {
  test('a pinned user is above the list and first in find, until unpinned there', async () => {
    const ana = await service.create('admin', '/users', { name: 'Ana' })
    const bob = await service.create('admin', '/users', { name: 'Bob' })
    const first = open(service, `/users/${ana}`)
    await choose(first, 'Pin')
    expect(await screen.findByText(/^Pinned\. You’ll find/)).toBeInTheDocument()
    await first.router.navigate(`/users/${bob}`)
    await screen.findByRole('heading', { level: 1, name: 'Bob' })
    first.unmount()
    const kept = JSON.stringify(Object.values(localStorage))
    expect(kept).toContain(ana)
    expect(kept).not.toContain('Ana')

    const app = open(service, '/users')
    await (await findPins()).findByRole('link', { name: 'Ana', hidden: true })
    await app.user.keyboard('{Control>}k{/Control}')
    const group = within(await screen.findByRole('group', { name: 'Pinned' }))
    expect(await group.findByRole('option', { name: /^Ana/ })).toHaveAttribute('aria-selected', 'true')
    const recent = within(await screen.findByRole('group', { name: 'Opened recently' }))
    expect(await recent.findByRole('option', { name: /^Bob/ })).toBeVisible()
    expect(recent.queryByRole('option', { name: /^Ana/ })).toBeNull()
    await app.user.keyboard('{Enter}')
    await screen.findByRole('heading', { level: 1, name: 'Ana' })
    await app.user.keyboard('{Control>}k{/Control}')
    await app.user.type(await screen.findByRole('combobox', { name: 'Find anywhere' }), 'unpin')
    await app.user.click(await screen.findByRole('option', { name: 'Unpin this user' }))
    await app.router.navigate('/users')
    await screen.findByRole('link', { name: 'Bob' })
    expect(screen.queryByRole('list', { name: 'Pinned users', hidden: true })).toBeNull()
  })
})

test('a deleted user is no longer pinned', async () => {
  const ana = await full.create('admin', '/users', { name: 'Ana' })
  const app = open(full, `/users/${ana}`)
  await choose(app, 'Pin')
  const pins = () => localStorage.getItem('data-store.pinned')
  expect(pins()).toContain(ana)
  await choose(app, 'Delete user…')
  const dialog = within(await screen.findByRole('dialog'))
  const field = await dialog.findByRole('textbox', { name: /^Type/ })
  await app.user.type(field, 'delete{Enter}')
  await screen.findByRole('heading', { level: 1, name: 'Users' })
  expect(pins()).not.toContain(ana)
})

test('somebody who is gone is left out, and what another person pinned is not shown', async () => {
  const ana = await full.create('admin', '/users', { name: 'Ana' })
  const bob = await full.create('admin', '/users', { name: 'Bob' })
  const first = open(full, `/users/${ana}`)
  await choose(first, 'Pin')
  await first.router.navigate(`/users/${bob}`)
  await screen.findByRole('heading', { level: 1, name: 'Bob' })
  await choose(first, 'Pin')
  first.unmount()
  await full.call('admin', 'DELETE', `/users/${ana}`)
  const app = open(full, '/users')
  const list = await findPins()
  await list.findByRole('link', { name: 'Bob', hidden: true })
  expect(list.queryByRole('link', { name: 'Ana', hidden: true })).toBeNull()
  app.unmount()

  const other = open(full, '/users', { role: 'steward' })
  await screen.findByRole('link', { name: 'Bob' })
  expect(screen.queryByRole('list', { name: 'Pinned users', hidden: true })).toBeNull()
  expect(other.edge.requests.some(({ path }) => path.endsWith('/lookup'))).toBe(false)
})

test('a session kept in memory offers no pins', async () => {
  const ana = await full.create('admin', '/users', { name: 'Ana' })
  const { user } = open(full, `/users/${ana}`, { keptIn: 'memory' })
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  expect(await screen.findByRole('menuitem', { name: 'Copy invitation link' })).toBeVisible()
  expect(screen.queryByRole('menuitem', { name: 'Pin' })).toBeNull()
})
