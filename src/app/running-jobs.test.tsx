import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import type { Job } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { network } from '../testing/network.ts'
import { renderApp } from '../testing/render-app.tsx'

const service = testService({ jobs: true })
beforeEach(() => service.reset())

const soon = { timeout: 60_000 }

/** Opens the list of segments over a service that has this job of the steward, in the state that is set. */
async function renderWith(role: 'steward' | 'admin' | 'support' = 'steward') {
  const set = { entity: 'car', key: 'plate', type: 'TEXT', value: 'B 2' }
  const id = await service.create('steward', '/users/batch', { ids: [crypto.randomUUID()], set })
  const read = async (): Promise<Job> => (await service.call('steward', 'GET', `/jobs/${id}`)).body
  await waitFor(async () => expect((await read()).state).toBe('finished'), soon)
  const job = await read()
  let shown: Job = { ...job, state: 'running', done: 31, total: 100 }
  const edge = network(service, ({ url }) =>
    url.endsWith('/jobs')
      ? Response.json([shown])
      : url.endsWith(`/jobs/${id}`)
        ? Response.json(shown)
        : undefined,
  )
  const app = renderApp({ service: { ...service, fetch: edge.fetch }, path: '/segments', role })
  await screen.findByRole('heading', { level: 1, name: 'Segments' })
  return {
    ...app,
    id,
    polls: () => edge.requests.filter(({ path }) => path.endsWith('/jobs')).length,
    end: () => {
      shown = { ...job, outcomes: { changed: 3 } }
    },
  }
}

test('a running job is in the header, and a message says its result and leads to it', async () => {
  const { user, router, id, end, polls } = await renderWith()
  const link = await screen.findByRole('link', { name: /^Bulk change: 31\s?%$/ }, soon)
  expect(link).toHaveAttribute('href', `/jobs/${id}`)
  end()
  expect(await screen.findByText('Bulk change: Finished. 3 users changed.', {}, soon)).toBeVisible()
  expect(screen.queryByRole('link', { name: /Bulk change/ })).not.toBeInTheDocument()
  // The list is not polled once no job runs.
  const before = polls()
  await user.click(screen.getByRole('button', { name: 'Show' }))
  await screen.findByRole('heading', { level: 1, name: 'Plate (car)' })
  expect(router.state.location.pathname).toBe(`/jobs/${id}`)
  expect(polls()).toBe(before)
})

test('the page of a job says itself that it has ended', async () => {
  const { user, end } = await renderWith()
  await user.click(await screen.findByRole('link', { name: /^Bulk change: 31/ }, soon))
  await screen.findByRole('heading', { level: 1, name: 'Plate (car)' })
  end()
  expect(await screen.findByText('Finished', {}, soon)).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('link', { name: /Bulk change/ })).toBeNull(), soon)
  expect(screen.queryByText(/3 users changed/)).not.toBeInTheDocument()
})

test.each(['admin', 'support'] as const)('%s sees no job of a colleague in the header', async (role) => {
  const { polls } = await renderWith(role)
  if (role === 'admin') await waitFor(() => expect(polls()).toBeGreaterThan(0), soon)
  else expect(polls()).toBe(0)
  expect(screen.queryByRole('link', { name: /Bulk change/ })).not.toBeInTheDocument()
})
