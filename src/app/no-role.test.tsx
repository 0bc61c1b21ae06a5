import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { getConnection } from '../api/connection.ts'
import { api } from '../api/index.ts'
import { network } from '../testing/network.ts'
import { renderApp } from '../testing/render-app.tsx'

const service = testService()

/** Renders the console with a token that has these claims besides the usual ones. */
const renderWith = (claims: Record<string, unknown>, path: string) =>
  renderApp({ service: Object.assign(Object.create(service), { token: () => service.sign(claims) }), path })

test.each([
  '/home',
  '/users',
  '/segments',
  '/events',
  '/audit',
  '/users/01900000-0000-7000-8000-000000000000',
])('a person without a role is told so once, at %s, with the facts an administrator needs', async (path) => {
  renderWith({ role: ['boss', 'offline_access'] }, path)
  const told = await screen.findByRole('heading', { level: 1, name: 'You don’t have a role in Data Store' })
  expect(told).toBeVisible()
  expect(document.title).toBe('You don’t have a role in Data Store · Data Store')
  // The query fails if there are several alerts, for example one for each refused request.
  const alert = screen.getByRole('alert')
  expect(alert).toHaveTextContent('No role: the claim role holds "boss", "offline_access".')
  expect(within(alert).getByRole('button', { name: 'Sign out' })).toBeVisible()
})

test('a person whose token lacks the role claim is told so', async () => {
  renderWith({ groups: ['admin'] }, '/users')
  expect(await screen.findByRole('alert')).toHaveTextContent('No role: the access token has no claim role.')
})

test('a person with another permission is told on the page itself which one is missing', async () => {
  renderWith({ scope: 'events:read' }, '/users')
  expect(
    await screen.findByRole('heading', { level: 1, name: 'You don’t have access to this page' }),
  ).toBeVisible()
})

test('a role that is withdrawn in the midst of work takes no page away', async () => {
  renderApp({ service, path: '/users' })
  // By now the service has answered a request.
  expect(await screen.findByText('No users yet')).toBeVisible()
  Object.assign(getConnection().tokens, { token: () => service.sign({ role: 'boss' }) })
  await expect(api.listSegments({})).rejects.toMatchObject({
    status: 403,
    noRole: { claim: 'role', holds: '"boss"' },
  })
  expect(screen.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
})

test('a role that comes brings the page', async () => {
  renderWith({ role: 'boss' }, '/users')
  await screen.findByRole('heading', { level: 1, name: 'You don’t have a role in Data Store' })
  Object.assign(getConnection().tokens, { token: () => service.token('admin') })
  await api.listSegments({})
  expect(await screen.findByText('No users yet')).toBeVisible()
})

test('a refusal that comes after the role does not keep the page away', async () => {
  const refused = Promise.withResolvers<void>()
  const edge = network(service, async ({ url }, onward) => {
    if (!new URL(url).pathname.endsWith('/users')) return undefined
    const answer = await onward()
    if (answer.status === 403) await refused.promise
    return answer
  })
  renderApp({
    service: Object.assign(Object.create(service), {
      fetch: edge.fetch,
      token: () => service.sign({ role: 'boss' }),
    }),
    path: '/users',
  })
  await screen.findByRole('heading', { level: 1, name: 'You don’t have a role in Data Store' })
  Object.assign(getConnection().tokens, { token: () => service.token('admin') })
  await api.listSegments({})
  await waitFor(() => expect(screen.queryByRole('heading', { name: /don’t have a role/ })).toBeNull())
  refused.resolve()
  expect(await screen.findByText('No users yet')).toBeVisible()
})
