import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'

import { roleScopes, type Role } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { idOf } from '#server/testing/service.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()
beforeEach(async () => {
  // jsdom computes no layout: simulate a viewport of 20 rows.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(720)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1200)
  await service.reset()
})

const because = { 'change-reason': encodeURIComponent('She moved house') }

/** Creates a user with an entity, and changes two of its properties, one of them sensitive. */
async function prepare() {
  const user = idOf(await service.call('admin', 'POST', '/users', { name: 'Nora Ek' }))
  const properties = [
    { key: 'plate', type: 'TEXT', value: 'B 1' },
    { key: 'iban', type: 'TEXT', value: 'canary', sensitive: true },
  ]
  const path = `/users/${user}/entities`
  const entity = idOf(await service.call('admin', 'POST', path, { type: 'car', properties }))
  const at = `${path}/${entity}`
  const changed = properties.map(({ key }) => ({ key, value: 'B 2' }))
  await service.call('steward', 'PATCH', at, { properties: changed }, because)
  return { user, entity, at }
}

/** Records the lookup requests for users and changesets. */
function lookups() {
  const asked: string[] = []
  const fetch: typeof service.fetch = (input, init) => {
    const url = String(input instanceof Request ? input.url : input)
    const name = /(users|changesets)\/lookup$/.exec(url)?.[1]
    if (name !== undefined) asked.push(name)
    return service.fetch(input, init)
  }
  return { asked, service: { ...service, fetch } }
}

const rowOf = async (type: string) =>
  within((await screen.findAllByRole('link', { name: type }))[0]?.closest('tr') as HTMLElement)

test('a row says whom it is about, what was changed, by whom and why', async () => {
  const { user, entity } = await prepare()
  renderApp({ service, path: '/events' })
  const row = await rowOf('Data changed')
  expect(await row.findByRole('link', { name: 'Nora Ek' })).toHaveAttribute('href', `/users/${user}`)
  expect(await row.findByRole('link', { name: 'Car' })).toHaveAttribute('data-hint', entity)
  expect(row.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
    expect.any(String),
    'Data changed',
    'Nora Ek · Car: Plate, IBANSensitive',
    'steward“She moved house”',
    expect.any(String),
  ])
})

test('one request has the names of all rows that are near, and one what they changed', async () => {
  await Promise.all(
    Array.from({ length: 40 }, (_, n) => service.call('admin', 'POST', '/users', { name: `N ${n}` })),
  )
  const { asked, service: counting } = lookups()
  renderApp({ service: counting, path: '/events' })
  await screen.findByRole('link', { name: 'N 39' })
  expect(asked.toSorted()).toEqual(['changesets', 'users'])
})

test('a name that somebody changes, and a user whom somebody deletes, are looked up again', async () => {
  const { user } = await prepare()
  const { user: person } = renderApp({ service, path: '/events' })
  await screen.findAllByRole('link', { name: 'Nora Ek' })
  await service.call('admin', 'PATCH', `/users/${user}`, { name: 'Nora Berg' })
  await screen.findAllByRole('link', { name: 'Nora Berg' })
  expect(screen.queryByRole('link', { name: 'Nora Ek' })).not.toBeInTheDocument()
  await person.click(await screen.findByRole('button', { name: '1 new event · Show' }))
  await screen.findByRole('link', { name: 'User changed' })
  expect(await (await rowOf('User changed')).findByText('Name')).toBeVisible()
  await service.call('admin', 'DELETE', `/users/${user}`)
  await waitFor(() => expect(screen.queryByText('Nora Berg')).not.toBeInTheDocument())
  // Each response renders the row again, so it is found anew on each try.
  await waitFor(async () =>
    expect((await rowOf('Data changed')).getByRole('link', { name: /^User [\da-f]{8}…/ })).toBeVisible(),
  )
  await waitFor(() => expect(screen.queryByText('Plate')).not.toBeInTheDocument())
})

test.each(['support', 'integrator'] satisfies Role[])('%s sees what the role may see', async (role) => {
  await prepare()
  const { asked, service: counting } = lookups()
  renderApp({ service: counting, path: '/events', role })
  const row = await rowOf('Data changed')
  if (role === 'support') {
    expect(await row.findByText('Plate')).toBeVisible()
    // Names and changes arrive in two responses.
    expect(await row.findByText('Nora Ek')).toBeVisible()
    expect(row.queryByText('“She moved house”')).not.toBeInTheDocument()
    return
  }
  expect(row.getByText(/^User/)).toHaveTextContent(/^User [\da-f]{8}…[\da-f]{4}$/)
  expect(row.queryByRole('link', { name: /^User [\da-f]/ })).not.toBeInTheDocument()
  expect(
    screen.getByText('Your role can’t see users, so this list shows ids instead of names and changes.'),
  ).toBeVisible()
  expect(asked).toEqual([])
})

test('a row whose details are still loading keeps room for them and says that it is busy', async () => {
  const { user } = await prepare()
  await service.call('admin', 'PATCH', `/users/${user}`, { name: 'Nora Berg' })
  // Simulate events that were recorded before changesets existed.
  await service.call('support', 'GET', '/events')
  await service.database.pool.query(
    "update events set properties = properties - 'changeset' where type = 'USER_CREATED'",
  )
  const { promise, resolve } = Promise.withResolvers<void>()
  const fetch: typeof service.fetch = async (input, init) => {
    if (String(input instanceof Request ? input.url : input).endsWith('/changesets/lookup')) await promise
    return service.fetch(input, init)
  }
  renderApp({ service: { ...service, fetch }, path: '/events' })
  const subjectOf = async (type: string) => (await rowOf(type)).getAllByRole('cell')[2]?.firstElementChild
  await screen.findAllByRole('link', { name: 'Nora Berg' })
  for (const type of ['User changed', 'Data changed']) {
    const subject = await subjectOf(type)
    expect(subject).toHaveTextContent('Nora Berg ·')
    expect(subject).toHaveAttribute('aria-busy', 'true')
  }
  resolve()
  for (const [type, subjectText] of [
    ['User changed', 'Nora Berg · Name'],
    ['Data changed', 'Nora Berg · Car: Plate, IBAN'],
  ] as const) {
    await waitFor(async () => expect(await subjectOf(type)).toHaveTextContent(subjectText))
    expect(await subjectOf(type)).not.toHaveAttribute('aria-busy')
  }
  expect(await subjectOf('User created')).not.toHaveAttribute('aria-busy')
})

test('a person who may read users but no entities sees the names alone', async () => {
  await prepare()
  const scopes = roleScopes.admin.filter((scope) => scope !== 'entities:read')
  renderApp({ service, path: '/events', scopes })
  const row = await rowOf('Data changed')
  expect(await row.findByText('Nora Ek')).toBeVisible()
  expect(row.getByRole('link', { name: /^Entity/ })).toBeVisible()
})

test('a lookup of names that fails leaves the ids in place', async () => {
  await prepare()
  const fetch: typeof service.fetch = (input, init) =>
    String(input instanceof Request ? input.url : input).endsWith('/lookup')
      ? Promise.resolve(new Response(null, { status: 500 }))
      : service.fetch(input, init)
  renderApp({ service: { ...service, fetch }, path: '/events' })
  const row = await rowOf('Data changed')
  expect(await row.findByRole('link', { name: /^User/ })).toBeVisible()
  expect(row.getByRole('link', { name: /^Entity/ })).toBeVisible()
})
