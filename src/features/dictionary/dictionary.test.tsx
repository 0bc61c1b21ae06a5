import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Role } from '#contract/index.ts'
import { readCounts, testService } from '#server/testing/hooks.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()
beforeEach(() => service.reset())

async function owner(name: string, sensitive: boolean, type = 'TEXT') {
  const property = { key: 'iban', type, value: type === 'TEXT' ? 'DE1' : 1, sensitive }
  await service.create('admin', '/users', { name, properties: [property] })
}

/** Opens the page once the service has counted what is stored. */
async function open(role: Role = 'steward', features = service.features) {
  await readCounts(service)
  const { user } = renderApp({ service: { ...service, features }, path: '/dictionary', role })
  const row = await screen.findByRole('row', { name: /iban/i })
  return { user, row }
}

test('leads to the few in clear where most are sensitive', async () => {
  for (const name of ['Ana', 'Eva', 'Ida']) await owner(name, true)
  await owner('Ben Open', false)
  const { user, row } = await open()
  expect(row).toHaveTextContent('3 of 4')
  await user.click(within(row).getByRole('link', { name: /IBAN isn’t sensitive \(1\)/ }))
  expect(await screen.findByRole('link', { name: /Ben Open/ })).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('link', { name: /Ana/ })).toBeNull())
  expect(await screen.findByText(/IBAN has a value \(not sensitive\)/)).toBeVisible()
})

test('leads to the few that are sensitive where most are in clear, of each type', async () => {
  for (const name of ['Ana', 'Eva', 'Ida']) await owner(name, false)
  await owner('Ben Sealed', true)
  await owner('Bo Sealed', true, 'NUMBER')
  const { user, row } = await open()
  await user.click(within(row).getByRole('link', { name: /IBAN is sensitive \(2\)/ }))
  expect(await screen.findByRole('link', { name: /Ben Sealed/ })).toBeVisible()
  expect(screen.getByRole('link', { name: /Bo Sealed/ })).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('link', { name: /Ana/ })).toBeNull())
})

test('says how many without a link to who may not ask, and where the service cannot be asked', async () => {
  await owner('Ana', true)
  await owner('Eva', true)
  await owner('Ben Open', false)
  const { row } = await open('support')
  expect(row).toHaveTextContent('1 not sensitive')
  expect(within(row).queryByRole('link')).toBeNull()
})

test('says how many without a link where filters may not test sensitive properties', async () => {
  await owner('Ana', true)
  await owner('Eva', true)
  await owner('Ben Open', false)
  await owner('Bo Number', true, 'NUMBER')
  const { row } = await open('steward', { ...service.features, 'sensitive.reveal.only': 1 })
  expect(row).toHaveTextContent('1 not sensitive')
  expect(within(row).queryByRole('link')).toBeNull()
})

test('says when it was counted', async () => {
  await owner('Ana', true)
  await open()
  const times = screen.getAllByText((_, element) => element?.tagName === 'TIME')
  const counted = times.find((time) => time.closest(':not(time, bdi)')?.textContent.includes('Last counted'))
  expect(counted).toHaveAttribute('datetime')
})

test('names the commoner key that a key nearly is', async () => {
  for (const key of ['newsletter', 'newsletter', 'newsleter'])
    await service.create('admin', '/users', {
      name: 'Ana',
      properties: [{ key, type: 'TEXT', value: 'yes' }],
    })
  await owner('Ana', false)
  await open()
  expect(await screen.findByRole('row', { name: /newsleter/i })).toHaveTextContent('Similar to newsletter')
  expect(screen.getByRole('row', { name: /^Newsletter/ })).not.toHaveTextContent('Similar')
})

test('names texts in clear that look like personal data, until somebody has said whether they are sensitive', async () => {
  const mailboxes = ['ana@example.org', 'bob@example.org', 'ida@example.org']
  for (const value of mailboxes)
    await service.create('steward', '/users', { properties: [{ key: 'mailbox', type: 'TEXT', value }] })
  await owner('Ana', false)
  await open()
  const row = async () => screen.findByRole('row', { name: /^Mailbox/ })
  expect(await row()).toHaveTextContent('Looks like an e-mail address, not marked as sensitive')
  for (const value of mailboxes) expect(document.body).not.toHaveTextContent(value)
  cleanup()
  await service.call('steward', 'PUT', '/definitions/person/mailbox', { type: 'TEXT', sensitive: false })
  await open()
  expect(await row()).toHaveTextContent('Defined')
  expect(await row()).not.toHaveTextContent('Looks like')
})

describe('several entity types', () => {
  beforeEach(async () => {
    const id = await service.create('admin', '/users', { name: 'Ana' })
    await service.create('admin', `/users/${id}/entities`, {
      type: 'car',
      properties: ['colour', 'brand', 'plate', 'note'].map((key) => ({ key, type: 'TEXT', value: 'x' })),
    })
    await owner('Eva', false)
    await owner('Ida', false)
  })

  const list = () => screen.findByRole('navigation', { name: 'Entity types' })

  test('leads from the list of entity types to the heading of one, by keyboard', async () => {
    await service.call('admin', 'PUT', '/definitions/car', { label: { en: 'Vehicle' } })
    const { user } = await open()
    const links = within(await list()).getAllByRole('link')
    expect(links.map(({ textContent }) => textContent)).toEqual(['Person2', 'Vehicle1'])
    links[1]?.focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Vehicle' })).toHaveFocus())
    expect(links[1]).toHaveAttribute('aria-current', 'location')
    expect(links[0]).not.toHaveAttribute('aria-current')
    // The next stop is within the section.
    await user.tab()
    expect(screen.getByRole('button', { name: 'Edit definition of Vehicle' })).toHaveFocus()
    // A type that the filter brings back is no jump.
    const filter = screen.getByRole('searchbox')
    await user.type(filter, 'iban')
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Vehicle' })).toBeNull())
    await user.clear(filter)
    expect(await screen.findByRole('heading', { name: 'Vehicle' })).toBeVisible()
    expect(filter).toHaveFocus()
    // A second jump to the same type is one.
    await user.click(within(await list()).getByRole('link', { name: /Vehicle/ }))
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Vehicle' })).toHaveFocus())
  })

  test('lists only the entity types that the filter leaves', async () => {
    const { user } = await open()
    await user.type(screen.getByRole('searchbox'), 'plate')
    await waitFor(async () => expect(within(await list()).getAllByRole('link')).toHaveLength(1))
    expect(within(await list()).getByRole('link')).toHaveTextContent('Car')
    await user.type(screen.getByRole('searchbox'), 'nothing like it')
    expect(await screen.findByText('Nothing matches')).toBeVisible()
    expect(screen.queryByRole('navigation', { name: 'Entity types' })).toBeNull()
  })

  test('lists the properties of an entity type by group and order', async () => {
    const define = (key: string, definition: object) =>
      service.call('admin', 'PUT', `/definitions/car/${key}`, definition)
    await define('plate', { group: 'Papers', order: 1 })
    await define('brand', { group: 'Model', order: 3 })
    await define('colour', { group: 'Model', order: 2 })
    await open()
    const table = within(screen.getByRole('table', { name: 'car' }))
    const groups = table.getAllByRole('rowgroup').slice(1)
    expect(
      groups.map((group) =>
        within(group)
          .getAllByRole('row')
          .map((row) => /^(Papers|Plate|Model|Colour|Brand|Other|Note)/.exec(row.textContent)?.[0]),
      ),
    ).toEqual([
      ['Papers', 'Plate'],
      ['Model', 'Colour', 'Brand'],
      ['Other', 'Note'],
    ])
    expect(table.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
      'Papers',
      'Model',
      'Other',
    ])
  })

  test('has no headings among the properties of an entity type without groups', async () => {
    await open()
    expect(screen.queryByRole('rowheader')).toBeNull()
  })
})
