import { screen } from '@testing-library/react'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import type { Role } from '#contract/index.ts'
import { startTestService, type TestService } from '#server/testing/service.ts'
import { renderApp } from '../../testing.tsx'

function setUp(additions: 'all' | 'none') {
  const it = {} as {
    service: TestService
    ana: string
    create: (path: string, body: unknown) => Promise<string>
    open: (id: string, role?: Role) => ReturnType<typeof renderApp>
  }
  beforeAll(async () => {
    it.service = await startTestService({ additions })
    it.create = async (path, body) => {
      const { headers } = await it.service.call('admin', 'POST', path, body)
      return headers.get('location')?.split('/').at(-1) ?? ''
    }
    it.open = (id, role = 'steward') => renderApp({ service: it.service, path: `/segments/${id}`, role })
  })
  beforeEach(async () => {
    await it.service.reset()
    it.ana = await it.create('/users', { name: 'Ana Lopez', ref: 'C-1' })
  })
  afterAll(() => it.service.close())
  return it
}

const combobox = () => screen.findByRole('combobox', { name: 'User' })

describe('is a user in a segment', () => {
  const it = setUp('all')

  test('is answered for one who is looked for, by keyboard, with why', async () => {
    const id = await it.create('/segments', { name: 'No ref', filter: { user: 'ref', op: 'missing' } })
    const { user, router } = it.open(id)
    await user.type(await combobox(), 'lopez')
    expect(await screen.findByRole('option', { name: /Ana Lopez.*C-1/ })).toBeVisible()
    await user.keyboard('{Enter}')
    expect(await screen.findByText(/is not in this segment/)).toHaveTextContent(
      'Ana Lopez is not in this segment.',
    )
    expect(screen.getByText('Ref has no value').parentElement).toHaveTextContent(
      'Not met:Ref has no valueFound: C-1',
    )
    // The URL does not reveal the user. A link leads to the same explanation on the user's page.
    expect(router.state.location.pathname + router.state.location.search).toBe(`/segments/${id}`)
    await user.click(screen.getByRole('link', { name: 'Ana Lopez' }))
    expect(await screen.findByRole('button', { name: 'Why not: No ref' })).toHaveAttribute(
      'aria-expanded',
      'true',
    )
  })

  test('is not said to whom it would tell a sensitive value', async () => {
    const body = { type: 'person', properties: [{ key: 'iban', type: 'TEXT', sensitive: true, value: 'x' }] }
    await it.create(`/users/${it.ana}/entities`, body)
    const filter = { entity: 'person', where: [{ key: 'iban', type: 'TEXT', op: 'exists' }] }
    const { user } = it.open(await it.create('/segments', { name: 'With an iban', filter }), 'support')
    await user.type(await combobox(), 'C-1')
    await screen.findByRole('option', { name: /Ana Lopez/ })
    await user.keyboard('{Enter}')
    expect(await screen.findByText(/can’t be checked: this segment uses sensitive data/)).toBeVisible()
  })

  test('nobody is found: that is said, and Enter takes nobody', async () => {
    const { user } = it.open(await it.create('/segments', { name: 'All', filter: { all: [] } }))
    await user.type(await combobox(), 'zzzzzz')
    expect(await screen.findByText('No users found.')).toBeVisible()
    await user.keyboard('{Enter}')
    expect(screen.queryByText(/this segment\./)).toBeNull()
  })
})

describe('on a bare service', () => {
  const it = setUp('none')

  test('the way is shown to where it can be found out, and what the segment asks for', async () => {
    const id = await it.create('/segments', { name: 'With a ref', filter: { user: 'ref', op: 'exists' } })
    const { user } = it.open(id)
    await user.type(await combobox(), it.ana)
    expect(await screen.findByText(/can’t look this up directly/)).toBeVisible()
    await user.click(screen.getByRole('link', { name: 'Open the user’s segments' }))
    await user.click(await screen.findByRole('button', { name: 'Check With a ref' }))
    expect(await screen.findByText('In this segment')).toBeVisible()
    expect(await screen.findByText('Filter: Users who have a ref.')).toBeVisible()
  })
})
