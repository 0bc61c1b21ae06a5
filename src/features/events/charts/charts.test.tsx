import { act, screen, waitFor, within } from '@testing-library/react'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'

import { testService } from '#server/testing-hooks.ts'
import { renderApp } from '../../../testing.tsx'

const service = testService()
beforeAll(async () => {
  for (let index = 0; index < 3; index += 1) await service.call('admin', 'POST', '/users', {})
  await service.call('admin', 'POST', '/segments', { name: 'All', filter: { all: [] } })
})

async function charts(user: ReturnType<typeof renderApp>['user']) {
  await user.click(await screen.findByRole('button', { name: 'Over time' }))
  const section = within(await screen.findByRole('region', { name: 'Events and delivery lag over time' }))
  await section.findByRole('heading', { name: 'Events by type' })
  return section
}

test('the loaded events stand over time, and a bar shows its own events only', async () => {
  const { user, router } = renderApp({ service, path: '/events' })
  const section = await charts(user)
  expect(section.getByText(/^\w+ \d+, \d{4}, .* UTC$/)).toBeVisible()
  expect(section.getByText('None of these events is delivered.')).toBeVisible()

  const bars = within(section.getByRole('group', { name: 'Events by type' }))
  const bar = bars.getAllByRole('button', { name: /User created: \d/ }).at(-1)
  if (bar) await user.click(bar)
  await waitFor(() => {
    const { searchParams } = new URL(router.state.location.search, 'http://x/')
    const [from, to] = [searchParams.get('from'), searchParams.get('to')].map((time) =>
      Date.parse(time ?? ''),
    )
    expect((to ?? 0) - (from ?? 0)).toBe(1000)
  })
})

test('a type in the legend shows its own events only', async () => {
  const { user, router } = renderApp({ service, path: '/events' })
  const section = await charts(user)
  await user.click(section.getByRole('button', { name: 'Segment created' }))
  await waitFor(() => expect(router.state.location.search).toBe('?type=SEGMENT_CREATED'))
})

test('the same figures are there as a table, whose rows are filters too', async () => {
  const { user, router } = renderApp({ service, path: '/events' })
  const section = await charts(user)
  await user.click(section.getByRole('button', { name: 'As a table' }))
  const table = within(section.getByRole('table'))
  const rows = table.getAllByRole('row').slice(1)
  const column = (index: number) =>
    rows.reduce((sum, row) => sum + Number(within(row).getAllByRole('cell')[index]?.textContent), 0)
  expect(column(0)).toBe(4)
  const [first] = table.getAllByRole('rowheader').map((header) => within(header).getByRole('button'))
  expect(first).toBeDefined()
  if (first) await user.click(first)
  await waitFor(() => expect(router.state.location.search).toMatch(/^\?from=.*&to=/))
})

test('what is not delivered can be singled out', async () => {
  const { user, router } = renderApp({ service, path: '/events' })
  const section = await charts(user)
  await user.click(section.getByRole('button', { name: 'As a table' }))
  const undelivered = section.getAllByRole('button', { name: /^\d+ not delivered$/ }).at(-1)
  if (undelivered) await user.click(undelivered)
  await waitFor(() => expect(router.state.location.search).toMatch(/delivered=false&from=.*&to=/))
})

test('they stay open for who opened them', async () => {
  const { user, unmount } = renderApp({ service, path: '/events' })
  await charts(user)
  unmount()
  renderApp({ service, path: '/events' })
  expect(await screen.findByRole('heading', { name: 'Events by type' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Over time' })).toHaveAttribute('aria-expanded', 'true')
})

test('neighbouring bars are chosen with Shift and the arrow keys and shown alone, and there is a way back', async () => {
  await sql`
    insert into event_inbox (id, eventtime, type, properties)
    select gen_random_uuid(), '2024-03-01'::timestamp + hour * interval '1 hour', 'A', '{}'
    from generate_series(0, 9) hours (hour)`.execute(service.database.sql)
  const { user, router } = renderApp({ service, path: '/events?type=A' })
  const moments = () => {
    const address = new URLSearchParams(router.state.location.search)
    return [address.get('from'), address.get('to')]
  }
  const section = await charts(user)
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
  const first = ['2024-03-01T07:00:00.000Z', '2024-03-01T09:15:00.000Z']
  await waitFor(() => expect(moments()).toEqual(first))

  const out = await section.findByRole('button', { name: 'Zoom out' })
  expect(out).toHaveFocus()
  act(() => last()?.focus())
  await user.keyboard('{Enter}')
  await waitFor(() => expect(moments()[0]).toBe('2024-03-01T09:00:00.000Z'))
  await screen.findByText('From Mar 1, 2024, 09:00:00 UTC')
  await user.click(section.getByRole('button', { name: 'Zoom out' }))
  await screen.findByText('From Mar 1, 2024, 07:00:00 UTC')
  expect(moments()).toEqual(first)
  await user.click(section.getByRole('button', { name: 'Zoom out' }))
  await waitFor(() => expect(section.queryByRole('button', { name: 'Zoom out' })).toBeNull())
  expect(moments()).toEqual([null, null])
})
