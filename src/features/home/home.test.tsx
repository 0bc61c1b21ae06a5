import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()
const bare = testService({ additions: 'none' })
beforeEach(() => Promise.all([service.reset(), bare.reset()]))
afterEach(() => localStorage.clear())

const tile = async (name: string) => within(await screen.findByRole('region', { name }))

test('a pinned segment is shown with its size, and leads to it', async () => {
  await service.create('admin', '/users', { name: 'Ana' })
  const id = await service.create('admin', '/segments', { name: 'Everybody', filter: { all: [] } })
  const first = renderApp({ service, path: '/home', role: 'support' })
  expect(await (await tile('Pinned segments')).findByText(/^Pin a segment/)).toBeVisible()
  await first.router.navigate(`/segments/${id}`)
  await first.user.click(await screen.findByRole('button', { name: 'More actions' }))
  await first.user.click(await screen.findByRole('menuitem', { name: 'Pin' }))
  expect(JSON.stringify(Object.values(localStorage))).not.toContain('Everybody')
  first.unmount()

  const { user } = renderApp({ service, path: '/', role: 'support' })
  const segments = await tile('Pinned segments')
  expect(await segments.findByText('1')).toBeVisible()
  await user.click(segments.getByRole('link', { name: 'Everybody' }))
  await screen.findByRole('heading', { level: 1, name: 'Everybody' })
})

test('recently opened and pinned users are listed, while only their ids are stored', async () => {
  const ana = await service.create('admin', '/users', { name: 'Ana' })
  const bob = await service.create('admin', '/users', { name: 'Bob' })
  const app = renderApp({ service, path: `/users/${ana}`, role: 'support' })
  await app.user.click(await screen.findByRole('button', { name: 'More actions' }))
  await app.user.click(await screen.findByRole('menuitem', { name: 'Pin' }))
  await app.router.navigate(`/users/${bob}`)
  await screen.findByRole('heading', { level: 1, name: 'Bob' })
  await app.router.navigate('/home')
  const items = await (await tile('Recent and pinned users')).findAllByRole('listitem')
  expect(items.map(({ textContent }) => textContent)).toEqual(['AnaPinned', 'BobOpened recently'])
  expect(JSON.stringify(Object.values(localStorage))).not.toMatch(/Ana|Bob/)
})

test.each([
  [
    'support',
    ['Recent and pinned users', 'Your recent changes', 'Activity, today and yesterday', 'Pinned segments'],
  ],
  [
    'steward',
    [
      'Activity, today and yesterday',
      'Sensitive values today',
      'Jobs',
      'Pinned segments',
      'Recent and pinned users',
      'Your recent changes',
    ],
  ],
  ['integrator', ['Activity, today and yesterday', 'Webhooks']],
  [
    'admin',
    [
      'Activity, today and yesterday',
      'Webhooks',
      'Sensitive values today',
      'Jobs',
      'Pinned segments',
      'Recent and pinned users',
      'Your recent changes',
    ],
  ],
] as const)('%s sees what is of this role', async (role, names) => {
  renderApp({ service, path: '/home', role })
  const listTiles = () => within(screen.getByRole('main')).queryAllByRole('heading', { level: 2 })
  await waitFor(() => expect(listTiles().map(({ textContent }) => textContent)).toEqual(names))
})

test('events are counted by day, and each figure leads to its events', async () => {
  await service.create('admin', '/users', { name: 'Ana' })
  const bob = await service.create('admin', '/users', { name: 'Bob' })
  await service.call('admin', 'PATCH', `/users/${bob}`, { name: 'Rob' })
  const { user, router } = renderApp({ service, path: '/home', role: 'integrator' })
  const table = within(await (await tile('Activity, today and yesterday')).findByRole('table'))
  const figures = table.getAllByRole('row').slice(1)
  expect(figures.map(({ textContent }) => textContent)).toEqual([
    'Users created20',
    'Users and entities changed10',
  ])
  await user.click(table.getByRole('link', { name: 'Users created, Today: 2 events' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/events'))
  const asked = new URLSearchParams(router.state.location.search)
  expect(asked.get('type')).toBe('USER_CREATED')
  const [from, to] = ['from', 'to'].map((name) => Date.parse(asked.get(name) ?? ''))
  expect([(to ?? 0) - (from ?? 0), new Date(from ?? 0).getUTCHours()]).toEqual([86_400_000, 0])
})

test('jobs are named with their kind', async () => {
  const id = await service.create('steward', '/users', { name: 'Ana' })
  await service.create('steward', '/users/batch', {
    ids: [id],
    dryRun: true,
    set: { entity: 'person', key: 'city', type: 'TEXT', value: 'Lyon' },
  })
  renderApp({ service, path: '/home', role: 'steward' })
  const [job] = await (await tile('Jobs')).findAllByRole('listitem')
  expect(job).toHaveTextContent(/^City \(person\) · Bulk change/)
})

test('support begins with the search and with what it changed last, and finds a user from there', async () => {
  await service.create('admin', '/users', { name: 'Ana' })
  const bob = await service.create('admin', '/users', { name: 'Bob' })
  await service.call('support', 'PATCH', `/users/${bob}`, { name: 'Rob' })
  await service.call('support', 'PATCH', `/users/${bob}`, { name: 'Robert' })
  const { user, router } = renderApp({ service, path: '/home', role: 'support' })
  const own = await tile('Your recent changes')
  const [latest] = await own.findAllByRole('link', { name: 'Robert' })
  expect(latest).toHaveAttribute('href', `/users/${bob}`)
  expect(own.getAllByRole('listitem')).toHaveLength(2)
  expect(own.queryByText('Ana')).toBeNull()
  await user.type(screen.getByRole('searchbox', { name: 'Find users' }), 'ana{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/users'))
  expect(router.state.location.search).toBe('')
  expect(await screen.findByRole('searchbox', { name: 'Find users' })).toHaveValue('ana')
  expect(await screen.findByRole('link', { name: 'Ana' })).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Robert' })).toBeNull())
})

test('a stopped webhook says since when and why, and what it is for', async () => {
  const { id } = (
    await service.call('admin', 'POST', '/subscriptions', {
      url: 'https://hooks.example.org/in',
      types: ['USER_CREATED'],
      description: 'Campaigns',
    })
  ).body as { id: string }
  await service.database.pool.query(
    `update subscriptions set enabled = false, disabled_reason = 'exhausted', disabled = '2026-03-01T09:30:00' where id = $1`,
    [id],
  )
  renderApp({ service, path: '/home', role: 'admin' })
  const line = within(await (await tile('Webhooks')).findByRole('listitem'))
  expect(line.getByText('Campaigns')).toBeVisible()
  expect(line.getByText(/^Stopped: the receiver kept failing/)).toHaveTextContent('since Mar 1, 2026, 09:30')
})

test('actors who met sensitive values today are listed with the number of users concerned', async () => {
  const ana = await service.create('steward', '/users', {
    name: 'Ana',
    properties: [{ key: 'iban', type: 'TEXT', value: 'DE00', sensitive: true }],
  })
  await service.call('steward', 'GET', `/users/${ana}/entities`)
  const { router, user } = renderApp({ service, path: '/home', role: 'steward' })
  const line = within(await (await tile('Sensitive values today')).findByRole('listitem'))
  expect(line.getByText('1 user')).toBeVisible()
  await user.click(line.getByRole('link'))
  await waitFor(() => expect(router.state.location.pathname).toBe('/audit'))
})

test('a part that cannot be loaded says so, and the others stay', async () => {
  const { fetch } = network(service, ({ url }) =>
    new URL(url).pathname.endsWith('/jobs') ? new Response(null, { status: 500 }) : undefined,
  )
  renderApp({ service: { ...service, fetch }, path: '/home' })
  const jobs = await tile('Jobs')
  expect(await jobs.findByText('Couldn’t load “Jobs”')).toBeVisible()
  expect(jobs.getByRole('button', { name: 'Try again' })).toBeVisible()
  expect(await (await tile('Webhooks')).findByText('No webhooks yet.')).toBeVisible()
})

test('a service without any of it has no such page', async () => {
  await bare.create('admin', '/users', { name: 'Ana' })
  renderApp({ service: bare, path: '/' })
  await screen.findByRole('link', { name: 'Ana' })
  expect(screen.queryByRole('link', { name: 'Home' })).toBeNull()
})
