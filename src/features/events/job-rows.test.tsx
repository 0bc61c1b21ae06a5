import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'

import type { Job } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService({ jobs: true })
beforeEach(async () => {
  // jsdom computes no layout: simulate a viewport of 20 rows.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(720)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1200)
  await service.reset()
})

const soon = { timeout: 60_000 }

/** Sets a plate on new users, each of whom has a car. */
async function changePlates(count: number) {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const user = await service.create('admin', '/users', { name: `Ana ${n}` })
    await service.create('admin', `/users/${user}/entities`, { type: 'car', properties: [] })
    ids.push(user)
  }
  const set = { entity: 'car', key: 'plate', type: 'TEXT', value: 'B 2' }
  const job = await service.create('steward', '/users/batch', { ids, set })
  await waitFor(async () => {
    const { state }: Job = (await service.call('steward', 'GET', `/jobs/${job}`)).body
    expect(state).toBe('finished')
  }, soon)
  return { ids, job }
}

const typesShown = () =>
  within(screen.getByRole('table', { name: 'Events' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[1]?.textContent)

test('a job is one row of the log, which opens to each of its changes', async () => {
  const { job } = await changePlates(3)
  const { user, router } = renderApp({ service, path: '/events', role: 'steward' })
  const row = (await screen.findByRole('link', { name: 'Job finished' })).closest('tr') as HTMLElement
  expect(row).toHaveTextContent('Bulk change · 3 users changed · Each change')
  expect(within(row).getByRole('link', { name: 'Bulk change' })).toHaveAttribute('href', `/jobs/${job}`)
  expect(typesShown().filter((type) => type === 'Data changed')).toHaveLength(3)
  await user.click(within(row).getByRole('link', { name: 'Each change' }))
  await screen.findByRole('button', { name: /^Remove .*Job: / })
  await waitFor(() =>
    expect(typesShown()).toEqual(['Job finished', 'Data changed', 'Data changed', 'Data changed']),
  )
  expect(router.state.location.search).toBe(`?job=${job}`)
})

test('the filter of the log shows each change that jobs made', async () => {
  await changePlates(2)
  renderApp({ service, path: '/events?jobs=each', role: 'steward' })
  await screen.findByRole('link', { name: 'Job finished' })
  expect(typesShown().filter((type) => type === 'Data changed')).toHaveLength(4)
})

test('the log of a user has the change that a job made', async () => {
  const { ids } = await changePlates(2)
  renderApp({ service, path: `/events?user=${ids[0]}`, role: 'steward' })
  await screen.findByRole('table', { name: 'Events' })
  await waitFor(() => expect(typesShown()).toEqual(['Data changed', 'Data changed', 'User created']))
})

test('the open row of a job says its result, and leads to it and to each change', async () => {
  const { job } = await changePlates(1)
  const { user } = renderApp({ service, path: '/events', role: 'steward' })
  await user.click(await screen.findByRole('link', { name: 'Job finished' }))
  const changed = within(await screen.findByRole('region', { name: 'What changed' }))
  expect(changed.getByText(/1 user changed/)).toBeVisible()
  expect(changed.getByRole('link', { name: 'Show each change in the event log' })).toHaveAttribute(
    'href',
    `/events?job=${job}`,
  )
})

test('among one’s recent changes a job is one', async () => {
  await changePlates(3)
  renderApp({ service, path: '/home', role: 'steward' })
  const own = within(await screen.findByRole('region', { name: 'Your recent changes' }))
  await waitFor(() => expect(own.getAllByRole('listitem')).toHaveLength(1))
  expect(own.getByRole('listitem')).toHaveTextContent(/^Bulk change · 3 users changed/)
})
