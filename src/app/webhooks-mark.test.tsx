import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'

import type { Subscription } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { startReceiver, type TestReceiver } from '#server/testing/receiver.ts'
import { network } from '../testing/network.ts'
import { renderApp } from '../testing/render-app.tsx'

const service = testService({ allowLoopback: true, deliveries: true })
let receiver: TestReceiver
beforeEach(async () => {
  await service.reset()
  receiver = await startReceiver(({ path }) => Number(path.slice(1)))
})
afterEach(() => receiver.close())

/** Creates a webhook for each status, with which its receiver answers, and one event. Awaits the deliveries. */
async function webhooks(...statuses: readonly number[]) {
  const { origin } = new URL(receiver.url)
  for (const status of statuses) {
    const made = await service.call('admin', 'POST', '/subscriptions', { url: `${origin}/${status}` })
    expect(made.status).toBe(200)
  }
  await service.create('admin', '/users', { name: 'Somebody' })
  await waitFor(async () => {
    const { body } = await service.call('admin', 'GET', '/subscriptions')
    for (const { lastSuccess, lastFailure } of body as Subscription[])
      expect(lastSuccess ?? lastFailure).toBeTruthy()
  })
}

const entry = (name: string | RegExp) => screen.findByRole('link', { name })
/** Waits until the shell is shown, with its link to the API description. */
const theRest = () => screen.findByRole('link', { name: 'API description' })

test('failing webhooks are marked beside their area, and read once, after the first rows are there', async () => {
  await webhooks(200, 500, 410)
  const rows = Promise.withResolvers<undefined>()
  const edge = network(service, ({ url }) => (/\/events\?/.test(url) ? rows.promise : undefined))
  const asked = () => edge.requests.filter(({ path }) => path.endsWith('/subscriptions'))
  const { user } = renderApp({ service: { ...service, fetch: edge.fetch }, path: '/events' })
  await theRest()
  await import('./Navigation.tsx')
  // Without the wait for rows, the request would have been sent by now.
  await user.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }))
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(asked()).toEqual([])
  await user.keyboard('{Escape}')
  rows.resolve(undefined)
  await user.hover(await screen.findByText('(2 need attention)'))
  expect(await screen.findByRole('tooltip')).toHaveTextContent('2 need attention')
  await user.click(await entry('Segments'))
  await screen.findByRole('heading', { level: 1, name: 'Segments' })
  expect(asked()).toHaveLength(1)
  await user.click(await entry(/^Webhooks ?\(2 need attention\)$/))
  expect(await screen.findByRole('table', { name: 'Webhooks' })).toHaveTextContent(/Failing.*Stopped/)
})

test('a stopped webhook of the sample data is called a sample and alarms nobody', async () => {
  const url = `${new URL(receiver.url).origin}/410`
  await service.call('admin', 'POST', '/subscriptions', { url, description: 'Sample – campaigns: new users' })
  await service.create('admin', '/users', { name: 'Somebody' })
  await waitFor(async () => {
    const { body } = await service.call('admin', 'GET', '/subscriptions')
    expect((body as Subscription[])[0]?.disabled).toBeTruthy()
  })
  renderApp({ service, path: '/webhooks' })
  const state = await screen.findByText('Stopped (sample)')
  expect(state.closest('[data-tone]')).toBeNull()
  await theRest()
  expect(screen.queryByText(/need.? attention/)).toBeNull()
})

test('the area of webhooks has no mark while all of them work, and none for people who may not manage them', async () => {
  await webhooks(200)
  const edge = network(service)
  const asked = () => edge.requests.filter(({ path }) => path.endsWith('/subscriptions'))
  const at = { service: { ...service, fetch: edge.fetch }, path: '/segments' }
  const { unmount, queryClient } = renderApp({ ...at, role: 'integrator' })
  await waitFor(() => expect(queryClient.getQueryData(['listSubscriptions'])).toHaveLength(1))
  expect(await entry('Webhooks')).toBeVisible()
  unmount()
  expect(asked()).toHaveLength(1)
  await webhooks(500)
  renderApp({ ...at, role: 'steward' })
  await theRest()
  expect(await entry('Webhooks')).toHaveAttribute('aria-disabled', 'true')
  expect(asked()).toHaveLength(1)
})
