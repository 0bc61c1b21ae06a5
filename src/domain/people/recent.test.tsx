import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()
beforeEach(() => service.reset())
afterEach(() => localStorage.clear())

test('users opened in another tab at the same time stay among the recently opened', async () => {
  const [ana, bob] = await Promise.all(
    ['Ana', 'Bob'].map((name) => service.create('admin', '/users', { name })),
  )
  const app = renderApp({ service, path: `/users/${ana}` })
  await screen.findByRole('heading', { level: 1, name: 'Ana' })
  await waitFor(() => expect(localStorage.getItem('data-store.recent')).toContain(ana))
  // Simulates a write by another tab of the same person.
  const { by } = JSON.parse(localStorage.getItem('data-store.recent') ?? '') as { by: string }
  const theirs = {
    by,
    kept: [
      { kind: 'user', id: bob },
      { kind: 'user', id: ana },
    ],
  }
  localStorage.setItem('data-store.recent', JSON.stringify(theirs))
  await app.router.navigate('/users')
  await app.user.keyboard('{Control>}k{/Control}')
  const recent = within(await screen.findByRole('group', { name: 'Opened recently' }))
  expect(await recent.findByRole('option', { name: /^Bob/ })).toBeVisible()
  await app.user.keyboard('{Escape}')
  const cleo = await service.create('admin', '/users', { name: 'Cleo' })
  await app.router.navigate(`/users/${cleo}`)
  await screen.findByRole('heading', { level: 1, name: 'Cleo' })
  await waitFor(() => expect(localStorage.getItem('data-store.recent')).toContain(cleo))
  expect(localStorage.getItem('data-store.recent')).toContain(bob)
})
