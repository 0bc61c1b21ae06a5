import { screen, waitFor } from '@testing-library/react'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

import type { Event } from '#contract/index.ts'
import { startReceiver, type TestReceiver } from '#server/testing/receiver.ts'
import { startTestService, type TestService } from '#server/testing/service.ts'
import { renderApp } from '../../testing/render-app.tsx'

let service: TestService
let receiver: TestReceiver
beforeAll(async () => {
  service = await startTestService({ allowLoopback: true, deliveries: true })
  receiver = await startReceiver()
})
beforeEach(async () => {
  // jsdom computes no layout: simulate a viewport of 20 rows.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(720)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1200)
  receiver.received.length = 0
  await service.reset()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

const newest = async () => {
  const events: Event[] = (await service.call('admin', 'GET', '/events?order=desc&with=delivery')).body
  return events[0]
}
const createUser = async () => {
  await service.call('admin', 'POST', '/users', {})
  return await newest()
}
/** Returns the delivery status shown in each row, newest first. */
const deliveryStatus = async () => {
  const table = await screen.findByRole('table', { name: 'Events' })
  return [...table.querySelectorAll('tr[data-id]')].map((row) => row.lastElementChild?.textContent)
}

/** Creates four users, whose events are in turn without a webhook, delivered, waiting for a retry, and failed. */
async function prepare() {
  await createUser()
  const made = { url: receiver.url, types: ['USER_CREATED'] }
  await service.call('admin', 'POST', '/subscriptions', made)
  receiver.answer = () => 200
  await createUser()
  await waitFor(async () => expect((await newest())?.delivered).toBe(true))
  receiver.answer = () => ({ status: 500, headers: { 'retry-after': '3600' } })
  await createUser()
  await waitFor(async () => expect((await newest())?.delivery?.attempts).toBe(1))
  const failed = await createUser()
  // Ten attempts would take three days, so the final state is written directly.
  await sql`update deliveries set state = 'failed', next = null, attempts = 10
    where seq = (select seq from events where id = ${failed?.id}::uuid)`.execute(service.database.sql)
  await sql`update events set undelivered = 'failed' where id = ${failed?.id}::uuid`.execute(
    service.database.sql,
  )
}

test('a row tells delivered, waiting and failed apart, says nothing of an event without a webhook, and each can be filtered by', async () => {
  await prepare()
  const { user, router } = renderApp({ service, path: '/events?type=USER_CREATED' })
  expect(await deliveryStatus()).toEqual([
    'Failed after 10 attempts',
    expect.stringMatching(/^Waiting, next attempt in /),
    'Delivered',
    '',
  ])
  await user.click(screen.getByRole('button', { name: 'Filter' }))
  await user.click(await screen.findByRole('radio', { name: 'Failed' }))
  await user.click(screen.getByRole('button', { name: 'Show events' }))
  await waitFor(() => expect(router.state.location.search).toBe('?type=USER_CREATED&delivery=failed'))
  await waitFor(async () => expect(await deliveryStatus()).toEqual(['Failed after 10 attempts']))
  expect(screen.getByText('Failed', { selector: 'li > span' })).toBeVisible()
})

test('a row shows the delivery of its event to a webhook that did not ask for it', async () => {
  const event = await createUser()
  receiver.answer = () => 200
  await service.call('admin', 'POST', '/subscriptions', { url: receiver.url, types: ['USER_CREATED'] })
  const { user } = renderApp({ service, path: `/events/${event?.id}?type=USER_CREATED` })
  expect(await deliveryStatus()).toEqual([''])
  await user.click(await screen.findByRole('button', { name: /^Send to/ }))
  await waitFor(async () => expect(await deliveryStatus()).toEqual(['Delivered']))
})

test('an old address that says delivered or not keeps working', async () => {
  await prepare()
  const { user } = renderApp({ service, path: '/events?type=USER_CREATED&delivered=false' })
  await waitFor(async () => expect(await deliveryStatus()).toHaveLength(3))
  expect(screen.getByText('Not delivered', { selector: 'li > span' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Filter' }))
  expect(await screen.findByRole('radio', { name: 'Not delivered' })).toBeChecked()
})
