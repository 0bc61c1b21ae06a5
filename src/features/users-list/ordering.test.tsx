import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import { testService } from '#server/testing-hooks.ts'
import { renderApp } from '../../testing.tsx'
import { network } from '../../testing-network.ts'

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

  // What is searched for comes best match first.
  await user.type(screen.getByRole('searchbox', { name: 'Find users' }), 'ana')
  await showsNames('Ana')
  expect(screen.queryByRole('button', { name: 'Name' })).toBeNull()
  await user.clear(screen.getByRole('searchbox', { name: 'Find users' }))
  await showsNames('Cleo', 'Bob', 'Ana')
  await user.click(screen.getByRole('button', { name: 'Name' }))
  await showsNames('Cleo', 'Ana', 'Bob')
  expect(header('Name')).not.toHaveAttribute('aria-sort')
})

