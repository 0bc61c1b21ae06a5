import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()
beforeEach(() => service.reset())

async function createPeople(...names: string[]) {
  for (const name of names) await service.call('admin', 'POST', '/users', { name })
}

function open() {
  const edge = network(service)
  return { edge, ...renderApp({ service: { ...service, fetch: edge.fetch }, path: '/users' }) }
}

const names = () =>
  within(screen.getByRole('table', { name: 'Users' }))
    .getAllByRole('link')
    .map((link) => link.textContent)
const showsNames = (...expected: string[]) => waitFor(() => expect(names()).toEqual(expected))
const header = (name: string) => screen.getByRole('columnheader', { name })
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

test('a press on a column orders by it, a second one the other way round, a third one as before', async () => {
  await createPeople('Cleo', 'Ana', 'Bob')
  const { user } = open()
  const byName = await screen.findByRole('button', { name: 'Name' })
  await user.click(byName)
  await showsNames('Ana', 'Bob', 'Cleo')
  expect(header('Name')).toHaveAttribute('aria-sort', 'ascending')
  await user.click(byName)
  await showsNames('Cleo', 'Bob', 'Ana')
  expect(header('Name')).toHaveAttribute('aria-sort', 'descending')
  expect(screen.getByText('3 users')).toBeVisible()

  // Search results are ordered by relevance.
  await user.type(screen.getByRole('searchbox', { name: 'Find users' }), 'ana')
  await showsNames('Ana')
  expect(screen.queryByRole('button', { name: 'Name' })).toBeNull()
  await user.clear(screen.getByRole('searchbox', { name: 'Find users' }))
  await showsNames('Cleo', 'Bob', 'Ana')
  await user.click(screen.getByRole('button', { name: 'Name' }))
  await showsNames('Cleo', 'Ana', 'Bob')
  expect(header('Name')).not.toHaveAttribute('aria-sort')
})

test('from a user to those beside them in the list, with buttons and keys, over the end of a page', async () => {
  const people = Array.from({ length: 52 }, (_, index) => `Person ${String(index).padStart(2, '0')}`)
  await createPeople(...people.toReversed())
  const { user, router, edge } = open()
  await user.click(await screen.findByRole('button', { name: 'Name' }))
  await showsNames(...people.slice(0, 50))
  await user.click(screen.getByRole('link', { name: 'Person 48' }))
  await heading('Person 48')
  expect(await screen.findByText('49 of 52')).toBeVisible()

  await user.click(screen.getByRole('button', { name: /^Next user in the list: Person 49/ }))
  await heading('Person 49')
  await screen.findByRole('button', { name: /^Next user in the list: Person 50/ })
  await user.keyboard(']')
  await heading('Person 50')
  expect(await screen.findByText('51 of 52')).toBeVisible()
  await user.keyboard(']')
  await heading('Person 51')
  expect(await screen.findByRole('button', { name: /^Next user in the list/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await user.keyboard('[[')
  await heading('Person 50')
  await screen.findByRole('button', { name: /^Previous user in the list: Person 49/ })
  await user.keyboard('[[')
  await heading('Person 49')
  expect(await screen.findByText('50 of 52')).toBeVisible()
  // Each page costs one request, however many of its users were stepped through.
  expect(edge.requests.filter(({ path }) => path.endsWith('/search'))).toHaveLength(2)

  await router.navigate('/users')
  await user.type(await screen.findByRole('searchbox', { name: 'Find users' }), 'person 51{Enter}')
  await heading('Person 51')
  expect(await screen.findByText('1 of 1')).toBeVisible()
  expect(JSON.stringify(router.state.location.state)).not.toMatch(/person/i)
})

test('a user opened from elsewhere has no neighbours in a list', async () => {
  await createPeople('Ana')
  const { body } = await service.call('admin', 'GET', '/users')
  const { users } = body as { users: { id: string }[] }
  renderApp({ service, path: `/users/${users[0]?.id}` })
  await heading('Ana')
  expect(screen.queryByRole('group', { name: 'In the list' })).toBeNull()
})
