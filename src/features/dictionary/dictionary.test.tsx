import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'

import type { Dictionary, Role } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()
let owners = 0
beforeEach(async () => {
  owners = 0
  await service.reset()
})

async function owner(name: string, sensitive: boolean, type = 'TEXT') {
  const property = { key: 'iban', type, value: type === 'TEXT' ? 'DE1' : 1, sensitive }
  await service.create('admin', '/users', { name, properties: [property] })
  owners += 1
}

/** Opens the page once the service has recounted the key. The service caches its counts, slow ones for longer. */
async function open(role: Role = 'steward', features = service.features) {
  await vi.waitFor(
    async () => {
      const { body } = await service.call('admin', 'GET', '/dictionary')
      const keys = (body as Dictionary).entityTypes.flatMap((type) => type.keys)
      expect(keys.find(({ key }) => key === 'iban')?.count).toBe(owners)
    },
    { timeout: 60_000 },
  )
  const { user } = renderApp({ service: { ...service, features }, path: '/dictionary', role })
  const row = await screen.findByRole('row', { name: /iban/i })
  return { user, row }
}

test('leads to the few in clear where most are sensitive', async () => {
  for (const name of ['Ana', 'Eva', 'Ida']) await owner(name, true)
  await owner('Ben Open', false)
  const { user, row } = await open()
  expect(row).toHaveTextContent('3 of 4')
  await user.click(within(row).getByRole('link', { name: /IBAN is not sensitive \(1\)/ }))
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
  const counted = times.find(({ parentElement }) => parentElement?.textContent.includes('Last counted'))
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
  expect(await screen.findByRole('row', { name: /newsleter/ })).toHaveTextContent('Similar to newsletter')
  expect(screen.getByRole('row', { name: /^Newsletter/ })).not.toHaveTextContent('Similar')
})

test('names texts in clear that look like personal data, until somebody has said whether they are sensitive', async () => {
  const mailboxes = ['ana@example.org', 'bob@example.org', 'ida@example.org']
  for (const value of mailboxes)
    await service.create('steward', '/users', { properties: [{ key: 'mailbox', type: 'TEXT', value }] })
  await owner('Ana', false)
  await open()
  const row = async () => screen.findByRole('row', { name: /^Mailbox/ })
  expect(await row()).toHaveTextContent('Looks like an e-mail address, not sealed')
  for (const value of mailboxes) expect(document.body).not.toHaveTextContent(value)
  cleanup()
  await service.call('steward', 'PUT', '/definitions/person/mailbox', { type: 'TEXT', sensitive: false })
  await open()
  expect(await row()).toHaveTextContent('Defined')
  expect(await row()).not.toHaveTextContent('Looks like')
})
