import { act, screen, waitFor, within } from '@testing-library/react'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { network } from '../../../testing/network.ts'
import { renderApp } from '../../../testing/render-app.tsx'

const service = testService()
beforeAll(async () => {
  for (let index = 0; index < 3; index += 1) await service.call('admin', 'POST', '/users', {})
  await service.call('admin', 'POST', '/segments', { name: 'All', filter: { all: [] } })
})

async function openChart(user: ReturnType<typeof renderApp>['user']) {
  await user.click(await screen.findByRole('button', { name: 'Over time' }))
  const section = within(await screen.findByRole('region', { name: 'Events over time' }))
  await section.findByRole('heading', { name: 'Events by type' })
  return section
}

test('a type in the legend shows its own events only', async () => {
  const { user, router } = renderApp({ service, path: '/events' })
  const section = await openChart(user)
  await user.click(section.getByRole('button', { name: 'Segment created' }))
  await waitFor(() => expect(router.state.location.search).toBe('?type=SEGMENT_CREATED'))
})

test('the chart stays open, and divided as it was chosen', async () => {
  const { user, unmount } = renderApp({ service, path: '/events' })
  const section = await openChart(user)
  await user.click(section.getByRole('button', { name: 'By delivery' }))
  unmount()
  renderApp({ service, path: '/events' })
  expect(await screen.findByRole('heading', { name: 'Events by delivery' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Over time' })).toHaveAttribute('aria-expanded', 'true')
})

const hourMs = 3_600_000
const hoursAgo = (hours: number) => new Date((Math.floor(Date.now() / hourMs) - hours) * hourMs).toISOString()

/** Inserts `each` events in each of these hours before now. */
async function happened(type: string, hours: readonly number[], each: number) {
  await sql`
    insert into event_inbox (id, eventtime, type, properties)
    select gen_random_uuid(), hour at time zone 'UTC', ${type}, '{}'
    from unnest(${hours.map(hoursAgo)}::timestamptz[]) hours (hour), generate_series(1, ${each}::int)`.execute(
    service.database.sql,
  )
}

describe('in a log of some months', () => {
  beforeEach(async () => {
    await service.reset()
    await happened('USER_CREATED', [3, 2], 90)
    await happened('WEBHOOK_TEST', [2], 30)
    await happened('USER_DELETED', [50 * 24], 7)
    await service.call('admin', 'GET', '/events/counts')
    await sql`update events set undelivered = 'failed' where type = 'WEBHOOK_TEST'`.execute(
      service.database.sql,
    )
    await sql`update event_counts set none = 0, failed = none where type = 'WEBHOOK_TEST'`.execute(
      service.database.sql,
    )
  })
  const countsOf = ({ requests }: ReturnType<typeof network>) =>
    requests.flatMap(({ path }) => (path.includes('/events/counts') ? [path] : []))

  test('all of a time are charted and not the loaded ones, by type and by delivery, with one request', async () => {
    const net = network(service)
    const { user, router } = renderApp({ service: { ...service, fetch: net.fetch }, path: '/events' })
    const section = await openChart(user)
    expect(section.getByText(/^210 events, /)).toBeVisible()
    expect(section.getByRole('button', { name: '30 days' })).toHaveAttribute('aria-pressed', 'true')
    await user.click(section.getByRole('button', { name: '24 hours' }))
    await waitFor(() =>
      expect(section.getAllByRole('button', { name: /, 120 events, User created: 90/ })).toHaveLength(1),
    )
    await user.click(section.getByRole('button', { name: 'By delivery' }))
    expect(section.getByRole('button', { name: /Failed: 30, No webhook: 90$/ })).toBeVisible()
    expect(section.queryByRole('heading', { name: 'Events by type' })).toBeNull()
    await user.click(section.getByRole('button', { name: '12 months' }))
    expect(await section.findByText(/^217 events, /)).toBeVisible()
    expect(countsOf(net).map((path) => /by=(\w+)/.exec(path)?.[1])).toEqual(['day', 'hour', 'week'])
    await user.click(section.getByRole('button', { name: 'Failed' }))
    await waitFor(() => expect(router.state.location.search).toBe('?delivery=failed'))
    expect(await section.findByText(/^30 events, /)).toBeVisible()
  })

  test('the span of the filter is charted, to the hour, and its bars as a table', async () => {
    const path = `/events?from=${hoursAgo(12)}&to=${hoursAgo(0)}`
    const { user, router } = renderApp({ service, path })
    const section = await openChart(user)
    expect(section.getByText(/^210 events, /)).toBeVisible()
    expect(section.queryByRole('button', { name: '30 days', pressed: true })).toBeNull()
    await user.click(section.getByRole('button', { name: 'As a table' }))
    const table = within(section.getByRole('table'))
    expect(table.getByText(/counted by the service/)).toBeVisible()
    const rows = table.getAllByRole('row').slice(1)
    expect(
      rows.map((row) =>
        within(row)
          .getAllByRole('cell')
          .map((cell) => cell.textContent),
      ),
    ).toEqual([
      ['120', '90', '30', '0', '0', '30', '90'],
      ['90', '90', '0', '0', '0', '0', '90'],
    ])
    const [bar] = table.getAllByRole('rowheader')
    expect(within(bar ?? document.body).getByRole('button')).toHaveAttribute(
      'data-hint',
      `${hoursAgo(2)} – ${hoursAgo(1)}`,
    )
    await user.click(table.getByRole('button', { name: 'Failed: 30' }))
    await waitFor(() => {
      const address = new URLSearchParams(router.state.location.search)
      expect(Object.fromEntries(address)).toEqual({ delivery: 'failed', from: hoursAgo(2), to: hoursAgo(1) })
    })
  })

  test('a time that is chosen takes the place of the span of the filter', async () => {
    const { user, router } = renderApp({ service, path: `/events?type=USER_CREATED&from=${hoursAgo(12)}` })
    const section = await openChart(user)
    expect(section.getByText(/^180 events, /)).toBeVisible()
    await user.click(section.getByRole('button', { name: '7 days' }))
    await waitFor(() => expect(router.state.location.search).toBe('?type=USER_CREATED'))
    expect(await section.findByRole('button', { name: '7 days', pressed: true })).toBeVisible()
  })

  test('neighbouring bars are chosen with Shift and the arrow keys, and are the time span of the filter', async () => {
    await happened('A', [9, 8, 7, 6, 5, 4], 1)
    const { user, router } = renderApp({ service, path: '/events?type=A' })
    const section = await openChart(user)
    await user.click(section.getByRole('button', { name: '24 hours' }))
    await section.findByText(/^6 events, /)
    const last = () =>
      within(section.getByRole('group', { name: 'Events by type' }))
        .getAllByRole('button')
        .at(-1)
    act(() => last()?.focus())
    await user.keyboard('{Shift>}{ArrowLeft}{ArrowLeft}{/Shift}')
    expect(section.getByText(/: 3 events$/)).toBeVisible()
    await user.keyboard('{Escape}')
    expect(section.queryByText(/: 3 events$/)).toBeNull()
    act(() => last()?.focus())
    await user.keyboard('{Shift>}{ArrowLeft}{ArrowLeft}{/Shift}{Enter}')
    const span = () => Object.fromEntries(new URLSearchParams(router.state.location.search))
    const three = { type: 'A', from: hoursAgo(6), to: hoursAgo(3) }
    await waitFor(() => expect(span()).toEqual(three))
    const out = await section.findByRole('button', { name: 'Zoom out' })
    await waitFor(() => expect(out).toHaveFocus())
    await section.findByText(/^3 events, /)

    // An hour is the shortest span that is counted.
    act(() => last()?.focus())
    await user.keyboard('{Enter}')
    await waitFor(() => expect(span()).toEqual({ ...three, from: hoursAgo(4) }))
    expect(await section.findByText(/^1 event, /)).toBeVisible()
    await act(() => router.navigate(-1))
    await waitFor(() => expect(span()).toEqual(three))
    await section.findByText(/^3 events, /)
    await user.click(section.getByRole('button', { name: 'Zoom out' }))
    await waitFor(() => expect(section.queryByRole('button', { name: 'Zoom out' })).toBeNull())
    expect(span()).toEqual({ type: 'A' })
  })

  test('events of one user, entity or actor are not charted, and the page says so', async () => {
    const { router } = renderApp({ service, path: '/events?actor=admin' })
    expect(
      await screen.findByText('The chart over time can’t show one user, entity, actor or job.'),
    ).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Over time' })).toBeNull()
    await act(() => router.navigate('/events'))
    expect(await screen.findByRole('button', { name: 'Over time' })).toBeVisible()
  })

  test('counts are not requested before the rows are there', async () => {
    localStorage.setItem('data-store.event-charts', 'bars')
    const rows = Promise.withResolvers<undefined>()
    const net = network(service, ({ url }) => (url.includes('/events?') ? rows.promise : undefined))
    renderApp({ service: { ...service, fetch: net.fetch }, path: '/events' })
    await waitFor(() => expect(net.requests.some(({ path }) => path.includes('/events?'))).toBe(true))
    expect(countsOf(net)).toEqual([])
    rows.resolve(undefined)
    const section = within(await screen.findByRole('region', { name: 'Events over time' }))
    expect(await section.findByText(/^210 events, /)).toBeVisible()
    expect(countsOf(net)).toHaveLength(1)
  })

  test('a failure is said in place, and counting is tried again', async () => {
    let isDown = true
    const net = network(service, ({ url }) =>
      url.includes('/events/counts') && isDown ? Response.json({}, { status: 500 }) : undefined,
    )
    const { user } = renderApp({ service: { ...service, fetch: net.fetch }, path: '/events' })
    await user.click(await screen.findByRole('button', { name: 'Over time' }))
    const section = within(screen.getByRole('region', { name: 'Events over time' }))
    expect(await section.findByRole('alert')).toHaveTextContent('Couldn’t count the events')
    isDown = false
    await user.click(section.getByRole('button', { name: 'Try again' }))
    expect(await section.findByText(/^210 events, /)).toBeVisible()
  })

  test('a time without events says so', async () => {
    const { user } = renderApp({ service, path: '/events?type=USER_DELETED' })
    await user.click(await screen.findByRole('button', { name: 'Over time' }))
    expect(await screen.findByText('No events in this period.')).toBeVisible()
  })
})
