import { screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

import type { Event } from '#contract/index.ts'
import { startTestService, type TestService } from '#server/testing.ts'
import { renderApp } from '../../testing.tsx'
import { eventPageQuery } from './queries.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
beforeEach(() => service.reset())
afterAll(() => service.close())

async function createUsers(count: number, from = 0) {
  for (let index = from; index < from + count; index += 1)
    await service.call('admin', 'POST', '/users', { ref: `R-${index}` })
}

async function eventsFrom(offset: number): Promise<Event[]> {
  return (await service.call('admin', 'GET', `/events?offset=${offset}`)).body
}

/** The ids of the events on screen, in their order. */
async function shownIds() {
  const table = await screen.findByRole('table', { name: 'Events' })
  const rows = within(table).getAllByRole('link', {
    name: /User created|User changed|USER_|Data changed|Segment/,
  })
  return rows.map((row) => row.getAttribute('href')?.replace('/events/', '').split('?')[0])
}

const ids = (events: readonly Event[]) => events.map(({ id }) => id as string)

test('events stand newest first, page by page back to the first one and forth again', async () => {
  await createUsers(257)
  const all = [...(await eventsFrom(0)), ...(await eventsFrom(100)), ...(await eventsFrom(200))]
  expect(all).toHaveLength(257)
  const newestFirst = ids(all).toReversed()
  const { user, router } = renderApp({ service, path: '/events' })

  expect(await shownIds()).toEqual(newestFirst.slice(0, 100))
  expect(screen.getByText('1–100 of 257, newest first')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Newer' })).toBeDisabled()

  await user.click(screen.getByRole('link', { name: 'Older' }))
  await screen.findByText('101–200 of 257, newest first')
  expect(await shownIds()).toEqual(newestFirst.slice(100, 200))
  expect(router.state.location.search).toBe('?offset=157')

  await user.click(screen.getByRole('link', { name: 'Older' }))
  await screen.findByText('201–257 of 257, newest first')
  expect(await shownIds()).toEqual(newestFirst.slice(200))
  expect(screen.getByRole('button', { name: 'Older' })).toBeDisabled()

  await user.click(screen.getByRole('link', { name: 'Newer' }))
  await screen.findByText('101–200 of 257, newest first')
  await user.click(screen.getByRole('link', { name: 'Newest' }))
  await screen.findByText('1–100 of 257, newest first')
  expect(await shownIds()).toEqual(newestFirst.slice(0, 100))
})

test('an address with a position opens the same events however many came after them', async () => {
  await createUsers(120)
  const older = ids(await eventsFrom(0))
    .slice(0, 60)
    .toReversed()
  await createUsers(20, 120)
  renderApp({ service, path: '/events?offset=60' })
  expect(await shownIds()).toEqual(older)
  expect(screen.getByText('81–140 of 140, newest first')).toBeVisible()
})

test('new events are offered, and move nothing until they are asked for', async () => {
  await createUsers(3)
  const { user } = renderApp({ service, path: '/events' })
  const before = await shownIds()
  expect(before).toHaveLength(3)

  await createUsers(2, 3)
  // As coming back to the tab does.
  window.dispatchEvent(new window.Event('visibilitychange'))
  const button = await screen.findByRole('button', { name: '2 new events' })
  expect(await shownIds()).toEqual(before)

  await user.click(button)
  await waitFor(async () => expect(await shownIds()).toHaveLength(5))
  expect((await shownIds()).slice(2)).toEqual(before)
  expect(await screen.findByRole('button', { name: 'Refresh' })).toBeEnabled()
  expect(screen.getByText('5 events')).toBeVisible()

  await createUsers(1, 5)
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  const one = await screen.findByRole('button', { name: '1 new event' })
  expect(await shownIds()).toHaveLength(5)
  await user.click(one)
  await waitFor(async () => expect(await shownIds()).toHaveLength(6))
})

test('coming back to the list shows what has happened meanwhile', async () => {
  await createUsers(2)
  const { router } = renderApp({ service, path: '/events' })
  expect(await shownIds()).toHaveLength(2)
  await router.navigate('/unknown')
  // The router is there before the screen is.
  await screen.findByRole('heading', { name: 'There is no such page' })
  await createUsers(1, 2)
  await router.navigate('/events')
  await screen.findByRole('heading', { name: 'Events' })
  expect(await shownIds()).toHaveLength(3)
})

test('a row opens the whole event beside the list, with the ways to what it is about', async () => {
  await createUsers(1)
  const users: { users: { id: string }[] } = (await service.call('admin', 'GET', '/users')).body
  const userId = users.users[0]?.id ?? ''
  await service.call('admin', 'POST', `/users/${userId}/entities`, { type: 'car', properties: [] })
  const [, changed] = await eventsFrom(0)
  const { user, router } = renderApp({ service, path: '/events' })

  const row = await screen.findByRole('link', { name: 'Data changed' })
  await user.click(row)
  const detail = await screen.findByRole('dialog', { name: 'Data changed' })
  expect(router.state.location.pathname).toBe(`/events/${changed?.id}`)
  expect(within(detail).getByText('Not delivered')).toBeVisible()
  expect(within(detail).getByText('DIRECT_DATA_CHANGE')).toBeVisible()
  expect(within(detail).getByText(String(changed?.properties['changeset']))).toBeVisible()
  expect(within(detail).getByText(/ UTC$/).closest('time')).toHaveAttribute('datetime', changed?.eventtime)
  expect(within(detail).getByRole('link', { name: userId })).toHaveAttribute('href', `/users/${userId}`)
  expect(within(detail).getByRole('link', { name: String(changed?.properties['entity']) })).toHaveAttribute(
    'href',
    `/users/${userId}/entities/${String(changed?.properties['entity'])}`,
  )
  const copy = vi.spyOn(navigator.clipboard, 'writeText')
  await user.click(within(detail).getByRole('button', { name: 'Copy JSON' }))
  expect(JSON.parse(copy.mock.calls[0]?.[0] ?? '')).toEqual(changed)

  expect(screen.getByRole('table', { name: 'Events' })).toBeVisible()
  within(detail).getByRole('heading', { level: 2 }).focus()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await waitFor(() => expect(row).toHaveFocus())
})

test('a link to one event works by itself, and a wrong one leaves the list', async () => {
  await createUsers(1)
  const [created] = await eventsFrom(0)
  renderApp({ service, path: `/events/${created?.id}` })
  expect(await screen.findByRole('dialog', { name: 'User created' })).toBeVisible()
  expect(await shownIds()).toEqual([created?.id])
})

test('an event that does not exist says so beside the list', async () => {
  await createUsers(1)
  renderApp({ service, path: '/events/0190aaaa-0000-7000-8000-000000000000' })
  const detail = await screen.findByRole('dialog')
  expect(within(detail).getByText('There is no such event')).toBeVisible()
  expect(await shownIds()).toHaveLength(1)
})

test("another service's events are shown as they come", async () => {
  const foreign = {
    id: 'e-1',
    eventtime: '2024-03-01T09:30:00.000Z',
    type: 'INVOICE_PAID',
    properties: { invoice: 'I-7', user: 'u 1', lines: [1, 2] },
    delivered: true,
    deliveredtime: '2024-03-01T09:30:02.000Z',
    channel: 'billing',
  }
  const fetch: typeof globalThis.fetch = (input) => {
    const url = String(input instanceof Request ? input.url : input)
    const body = url.includes('/events/') ? foreign : url.includes('offset=0') ? [foreign] : []
    return Promise.resolve(Response.json(url.includes('/capabilities') ? {} : body))
  }
  renderApp({ service: { ...service, fetch }, path: '/events/e-1' })
  const detail = await screen.findByRole('dialog', { name: 'INVOICE_PAID' })
  for (const shown of ['I-7', '[1,2]', 'billing', 'Delivered'])
    expect(within(detail).getByText(shown, { selector: 'span' })).toBeVisible()
  expect(within(detail).getByRole('link', { name: 'u 1' })).toHaveAttribute('href', '/users/u%201')
  expect(within(await screen.findByRole('table')).getByRole('link', { name: 'INVOICE_PAID' })).toBeVisible()
})

test('a full page whose events are all delivered is never read again; any other is', async () => {
  const log = (delivered: boolean) =>
    Array.from({ length: 100 }, (_, index) => ({
      id: `e-${index}`,
      eventtime: '2024-03-01T09:30:00.000Z',
      type: 'INVOICE_PAID',
      properties: {},
      delivered: delivered || index < 99,
    }))
  let reads = 0
  const fetch: typeof globalThis.fetch = () => {
    reads += 1
    return Promise.resolve(Response.json(log(true)))
  }
  const { queryClient } = renderApp({ service: { ...service, fetch }, path: '/unknown' })
  const readLongAfter = async (rows: Event[], page = eventPageQuery(0, 100)) => {
    queryClient.setQueryData(page.queryKey, rows, { updatedAt: 0 })
    reads = 0
    await queryClient.query(page)
    return reads
  }
  expect(await readLongAfter(log(true) as Event[])).toBe(0)
  expect(await readLongAfter(log(false) as Event[])).toBe(1)
  expect(await readLongAfter(log(true).slice(0, 40) as Event[], eventPageQuery(0, 40))).toBe(1)
})

test('an empty log says what will stand here', async () => {
  renderApp({ service, path: '/events' })
  expect(await screen.findByText('Nothing has happened yet')).toBeVisible()
})

test('the integrator sees events, and ids instead of links to what may not be opened', async () => {
  await createUsers(1)
  renderApp({ service, path: '/events', role: 'integrator' })
  await screen.findByRole('link', { name: 'User created' })
  expect(screen.queryByRole('link', { name: /^User [0-9a-f]{8}/ })).not.toBeInTheDocument()
})
