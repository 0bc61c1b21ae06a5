import { screen, within } from '@testing-library/react'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

import type { SegmentHistory } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const full = testService()
const bare = testService({ additions: 'none' })

test('the list shows what part of everybody a segment is, and how its size came about', async () => {
  for (const name of ['Ana', 'Bo', 'Cy', 'Di']) await full.create('steward', '/users', { name })
  const filter = { user: 'name', op: 'eq', value: 'Ana' }
  const { headers } = await full.call('admin', 'POST', '/segments', { name: 'Anas', filter })
  const id = headers.get('location')?.split('/').at(-1) ?? ''
  await sql`
    insert into segment_sizes (segment_id, day, total, users, sensitive)
    values (${id}, (now() at time zone 'UTC')::date - 30, 3, 4, false)`.execute(full.database.sql)
  // Reading the list triggers the count in the background.
  await full.call('admin', 'GET', '/segments')
  const history = async (): Promise<SegmentHistory[]> =>
    (await full.call('admin', 'GET', '/segments/history')).body
  await expect.poll(async () => (await history())[0]?.sizes.length).toBe(2)

  const { user } = renderApp({ service: full, path: '/segments' })
  const row = within(await screen.findByRole('row', { name: /Anas/ }))
  expect(await row.findByRole('img', { name: /^3 on \w+ \d+, \d{4}, 1\snow$/ })).toBeVisible()
  expect(row.getByText('25% of all users')).toBeVisible()
  await user.click(row.getByRole('link', { name: 'Anas' }))
  const sizes = await screen.findByText('Size over time')
  expect(sizes.nextElementSibling).toHaveTextContent(/^3 on \w+ \d+, \d{4}, 1\snow$/)
})

test('without the addition there are no such marks', async () => {
  await bare.call('admin', 'POST', '/segments', { name: 'All', filter: { all: [] } })
  renderApp({ service: bare, path: '/segments' })
  const row = within(await screen.findByRole('row', { name: /All/ }))
  expect(row.getByRole('link', { name: 'Show users of All' })).toBeVisible()
  expect(row.queryByRole('img')).toBeNull()
})

test('a count that a bare service sends is shown', async () => {
  const { fetch } = network(bare, ({ url }) =>
    new URL(url).pathname.endsWith('/segments')
      ? Response.json([{ id: 's-1', name: 'Foreign', total: 7 }])
      : undefined,
  )
  renderApp({ service: { ...bare, fetch }, path: '/segments' })
  expect(await screen.findByRole('link', { name: 'Show 7 users of Foreign' })).toBeVisible()
})
