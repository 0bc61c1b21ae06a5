import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()
beforeEach(() => service.reset())

const iban = { key: 'iban', type: 'TEXT', value: 'canary-7421', sensitive: true }
const owner = (name: string) => service.create('steward', '/users', { name, properties: [iban] })
const read = (user: string) => service.call('admin', 'GET', `/users/${user}/entities`)
const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent)
const list = () => screen.findByRole('table', { name: 'Access to sensitive data' })

test('each read and change is listed with its user, its subject and its author, and leads to its user', async () => {
  const user = await owner('Ana Audited')
  await read(user)
  renderApp({ service, path: '/audit', role: 'admin' })
  const [, newest, oldest] = within(await list()).getAllByRole('row')
  expect(await screen.findAllByRole('link', { name: 'Ana Audited' })).toHaveLength(2)
  expect(newest).toHaveTextContent(/Viewed.*IBAN.*admin/)
  expect(oldest).toHaveTextContent(/Changed.*IBAN.*steward/)
  expect(document.body).not.toHaveTextContent('canary')
})

test('a search is listed with the number of users it found and its conditions, and leads to its segment', async () => {
  await owner('Ana Audited')
  const where = [{ key: 'iban', type: 'TEXT', op: 'exists' }]
  const filter = { entity: 'person', where }
  const segment = await service.create('admin', '/segments', { name: 'With an account', filter })
  await service.call('steward', 'POST', '/users/search', { filter })
  await service.call('admin', 'GET', `/users?segment=${segment}`)
  renderApp({ service, path: '/audit', role: 'admin' })
  const [, newest, second] = within(await list()).getAllByRole('row')
  expect(newest).toHaveTextContent(/1 user.*Searched.*IBAN.*admin.*Users of a segment/)
  expect(second).toHaveTextContent(/1 user.*Searched.*IBAN.*steward.*List filter/)
  const link = screen.getByRole('link', { name: 'Users of a segment' })
  expect(link).toHaveAttribute('href', `/segments/${segment}`)
})

test('a name that one person has is taken without choosing them', async () => {
  const [ana] = [await owner('Ana Audited'), await owner('Ana Audited-Other')]
  const { user, router } = renderApp({ service, path: '/audit', role: 'admin' })
  await user.click(await screen.findByRole('button', { name: 'Filter' }))
  await user.type(await screen.findByRole('combobox', { name: 'User' }), 'ana audited')
  await user.click(screen.getByRole('button', { name: 'Show entries' }))
  expect(await screen.findByText('User: Ana Audited')).toBeVisible()
  expect(router.state.location.search).toBe(`?user=${ana}`)
})

test('a person found by name filters the log, and only their id is in the address', async () => {
  const [ana] = [await owner('Ana Audited'), await owner('Eva Other')]
  const { user, router } = renderApp({ service, path: '/audit', role: 'admin' })
  await user.click(await screen.findByRole('button', { name: 'Filter' }))
  await user.type(await screen.findByRole('combobox', { name: 'User' }), 'Ana')
  await user.click(await screen.findByRole('option', { name: /Ana Audited/ }))
  await user.click(screen.getByRole('button', { name: 'Show entries' }))
  expect(await screen.findByText('User: Ana Audited')).toBeVisible()
  expect(within(await list()).getAllByRole('row')).toHaveLength(2)
  expect(router.state.location.search).toBe(`?user=${ana}`)
  await user.click(screen.getByRole('button', { name: 'Remove filter: User: Ana Audited' }))
  expect(await screen.findByRole('link', { name: 'Eva Other' })).toBeVisible()
})

test('the summary of actors covers what is listed, whatever filters the list', async () => {
  const [ana, eva] = [await owner('Ana Audited'), await owner('Eva Other')]
  await read(ana)
  await service.call('steward', 'GET', `/users/${eva}/entities`)
  await service.call('admin', 'GET', `/users/${eva}/entities`)
  const figures = async (path: string) => {
    const { unmount } = renderApp({ service, path, role: 'admin' })
    const table = await screen.findByRole('table', { name: 'Who accessed sensitive data' })
    const [, ...rows] = within(table).getAllByRole('row')
    // Columns: actor, users, reads, checks, changes.
    const told = rows.map((row) => /^(\D+)(\d+)$/.exec(cellsOf(row).slice(0, 5).join('')))
    const span = screen.getByRole('region', { name: 'Who accessed sensitive data' })
    const isOfDays = within(span).queryByText(/\(UTC\)$/) !== null
    unmount()
    return [told.map((each) => each?.slice(1)), isOfDays]
  }
  expect(await figures('/audit')).toEqual([
    [
      ['admin', '2200'],
      ['steward', '2102'],
    ],
    true,
  ])
  expect(await figures(`/audit?user=${ana}`)).toEqual([
    [
      ['admin', '1100'],
      ['steward', '1001'],
    ],
    false,
  ])
  expect(await figures('/audit?kind=read')).toEqual([
    [
      ['admin', '2200'],
      ['steward', '1100'],
    ],
    false,
  ])
  expect(await figures('/audit?key=iban&actor=steward')).toEqual([[['steward', '2102']], false])
  expect(await figures('/audit?actor=steward')).toEqual([[['steward', '2102']], true])
})

test('figures of the newest alone say so', async () => {
  await owner('Ana Audited')
  const edge = network(service, ({ url }) =>
    url.includes('/audit/actors?kind=')
      ? Response.json({
          from: '2024-03-01T09:00:00.000Z',
          to: '2024-03-02T09:00:00.000Z',
          cut: true,
          actors: [],
        })
      : undefined,
  )
  renderApp({
    service: { ...service, fetch: edge.fetch },
    path: '/audit?kind=change',
    role: 'admin',
  })
  expect(
    await screen.findByText(
      /Mar 1, 2024.* to .*Mar 2, 2024.*: too many entries to count, so only the newest are included/,
    ),
  ).toBeVisible()
})

test('the whole month before is chosen with one press, and figures and list are of it', async () => {
  await read(await owner('Ana Audited'))
  const { user, router } = renderApp({ service, path: '/audit', role: 'admin' })
  expect(await screen.findByRole('region', { name: 'Who accessed sensitive data' })).toBeVisible()
  expect(
    within(await list()).getAllByText(/^\d+ \w+ \d{4}, \d\d:\d\d|^\w+ \d+, \d{4}, \d\d:\d\d/),
  ).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Filter' }))
  await user.click(await screen.findByRole('button', { name: 'Last month' }))
  await user.click(screen.getByRole('button', { name: 'Show entries' }))
  expect(await screen.findByText('No matching entries')).toBeVisible()
  const address = new URLSearchParams(router.state.location.search)
  const now = new Date()
  const first = (back: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString()
  expect(Object.fromEntries(address)).toEqual({ from: first(1), to: first(0) })
  expect(await screen.findByText('Nobody in this period.')).toBeVisible()
})

test('an empty result tells a filter without matches from an empty log', async () => {
  const { user } = renderApp({ service, path: '/audit?actor=nobody', role: 'admin' })
  await user.click(await screen.findByRole('button', { name: 'Clear filters' }))
  expect(await screen.findByText('Nothing recorded yet')).toBeVisible()
})

test('a deleted user is an id, and who met many people is marked in words', async () => {
  const user = await owner('Ana Audited')
  await service.call('steward', 'DELETE', `/users/${user}`)
  await service.database.pool.query(`
    insert into event_inbox (id, eventtime, type, properties)
    select gen_random_uuid(), date_trunc('hour', now() at time zone 'UTC'), 'SENSITIVE_DATA_ACCESSED',
      jsonb_build_object('user', gen_random_uuid(), 'actor', 'scraper', 'keys', '["iban"]') from generate_series(1, 120)`)
  const { user: person } = renderApp({ service, path: '/audit', role: 'admin' })
  const actors = await screen.findByRole('table', { name: 'Who accessed sensitive data' })
  expect(within(actors).getByRole('row', { name: /scraper/ })).toHaveTextContent('Unusual')
  expect(within(actors).getByRole('row', { name: /steward/ })).not.toHaveTextContent('Unusual')
  expect(
    screen.getByText(/1 colleague or program accessed the data of an unusually high number of users/),
  ).toBeVisible()
  await person.click(screen.getByRole('button', { name: 'Next' }))
  expect(await screen.findByText('101–121')).toBeVisible()
  expect(screen.getAllByText('Deleted user').length).toBeGreaterThan(0)
  await person.click(screen.getByRole('button', { name: 'Previous' }))
  expect(await screen.findByText('1–100')).toBeVisible()
})

test("a failure of the actors' figures leaves the list in place and offers a retry", async () => {
  await owner('Ana Audited')
  let isAway = true
  const edge = network(service, ({ url }) =>
    isAway && url.includes('/audit/actors') ? Response.json({}, { status: 500 }) : undefined,
  )
  const { user } = renderApp({ service: { ...service, fetch: edge.fetch }, path: '/audit', role: 'admin' })
  expect(await screen.findByRole('link', { name: 'Ana Audited' })).toBeVisible()
  const figures = within(screen.getByRole('region', { name: 'Who accessed sensitive data' }))
  expect(await figures.findByText('Couldn’t load who accessed sensitive data')).toBeVisible()
  isAway = false
  await user.click(figures.getByRole('button', { name: 'Try again' }))
  expect(await figures.findByRole('link', { name: /steward/ })).toBeVisible()
})

test('support staff are told why they see none of it', async () => {
  renderApp({ service, path: '/audit', role: 'support' })
  expect(await screen.findByText(/Your role can’t see sensitive values/)).toBeVisible()
  expect(screen.queryByRole('table')).toBeNull()
})
