import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import { testService } from '#server/testing-hooks.ts'

import { network } from '../testing-network.ts'
import { renderApp } from '../testing.tsx'

const service = testService()
beforeEach(() => service.reset())

/** The list with Ana in it, over a network that keeps the answer about her user or her entities back. */
async function openList(path: RegExp) {
  const id = await service.create('admin', '/users', { name: 'Ana', email: 'ana@example.org', ref: 'C-1' })
  const waiting = Promise.withResolvers<Response | undefined>()
  const edge = network(service, ({ url }) => (path.test(url) ? waiting.promise : undefined))
  const app = renderApp({ service: { ...service, fetch: edge.fetch }, path: '/users' })
  const row = await screen.findByRole('link', { name: 'Ana' })
  return { ...app, row, id, answer: waiting.resolve }
}

test('while a user is read, what the list told of them stands where it will stay', async () => {
  const { user, row, id, answer, router } = await openList(/\/entities/)
  await user.click(row)
  expect(row).toHaveAttribute('data-pressed')

  const heading = await screen.findByRole('heading', { level: 1, name: 'Ana' })
  const identity = await screen.findByRole('region', { name: 'Identity' })
  expect(identity).toHaveTextContent('ana@example.org')
  expect(identity).toHaveTextContent('C-1')
  expect(within(identity).queryByRole('button', { name: 'Edit' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Entities' })).toHaveAttribute('aria-current', 'page')
  // The list is left, and still there should the way be given up.
  expect(screen.queryByRole('table')).toBeNull()
  expect(row).toBeInTheDocument()
  await waitFor(() => expect(router.state.location.pathname).toBe('/users'))

  answer(undefined)
  await waitFor(() => expect(router.state.location.pathname).toBe(`/users/${id}`))
  await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Ana' })).toHaveFocus())
  expect(screen.getByRole('button', { name: 'Edit' })).toBeVisible()
  expect(heading).not.toBeInTheDocument()
})

test('a page that cannot be read says so where its skeleton was; another is gone to meanwhile', async () => {
  const { user, row, answer, router } = await openList(/\/entities/)
  await user.click(row)
  await screen.findByRole('region', { name: 'Identity' })
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Users' }))
  await waitFor(() => expect(screen.getByRole('table')).toBeVisible())
  expect(row).not.toHaveAttribute('data-pressed')

  await user.click(row)
  await screen.findByRole('region', { name: 'Identity' })
  answer(new Response('{}', { status: 500 }))
  expect(await screen.findByRole('alert')).toHaveTextContent('could not')
  expect(router.state.location.pathname).not.toBe('/users')
})

test('a preview that goes while a user is read takes no answer along that their page waits for', async () => {
  const { user, row, id, answer, router } = await openList(/\/entities/)
  act(() => row.focus())
  await user.keyboard(' ')
  await screen.findByRole('status', { name: /Ana/ })
  await user.keyboard('{Enter}')
  await screen.findByRole('region', { name: 'Identity' })
  // As a browser does with what is hidden.
  act(() => row.blur())
  expect(screen.queryByRole('status', { name: /Ana/ })).toBeNull()

  answer(undefined)
  await waitFor(() => expect(router.state.location.pathname).toBe(`/users/${id}`))
  expect(await screen.findByRole('button', { name: 'Edit' })).toBeVisible()
})
