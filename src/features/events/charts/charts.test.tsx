import { screen, waitFor, within } from '@testing-library/react'
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
