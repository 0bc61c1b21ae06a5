import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Role } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()
const create = (path: string, body: object) => service.create('admin', path, body)
const open = (id: string, role: Role = 'steward') => renderApp({ service, path: `/segments/${id}`, role })
let ana = ''
beforeEach(async () => {
  await service.reset()
  ana = await create('/users', { name: 'Ana Lopez', ref: 'C-1' })
})

const combobox = () => screen.findByRole('combobox', { name: 'User' })

describe('is a user in a segment', () => {
  test('is answered for one who is looked for, by keyboard, with why', async () => {
    const id = await create('/segments', { name: 'No ref', filter: { user: 'ref', op: 'missing' } })
    const { user, router } = open(id)
    await user.type(await combobox(), 'lopez')
    expect(await screen.findByRole('option', { name: /Ana Lopez.*C-1/ })).toBeVisible()
    await user.keyboard('{Enter}')
    expect(await screen.findByText(/isn’t in this segment/)).toHaveTextContent(
      'Ana Lopez isn’t in this segment.',
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
    await create(`/users/${ana}/entities`, body)
    const filter = { entity: 'person', where: [{ key: 'iban', type: 'TEXT', op: 'exists' }] }
    const { user } = open(await create('/segments', { name: 'With an iban', filter }), 'support')
    await user.type(await combobox(), 'C-1')
    await screen.findByRole('option', { name: /Ana Lopez/ })
    await user.keyboard('{Enter}')
    expect(await screen.findByText(/can’t be checked: this segment uses sensitive data/)).toBeVisible()
  })

  test('is answered for the only one who is found, however early Enter is pressed', async () => {
    const { user } = open(await create('/segments', { name: 'All', filter: { all: [] } }))
    await user.type(await combobox(), 'lopez{Enter}')
    expect(await screen.findByText(/is in this segment/)).toHaveTextContent('Ana Lopez is in this segment.')
  })

  test('is answered for a name that is left, if it is whole and one person’s alone', async () => {
    await create('/users', { name: 'Ana Lopez-Other' })
    const { user } = open(await create('/segments', { name: 'All', filter: { all: [] } }))
    await user.type(await combobox(), 'Ana Lope')
    await user.tab()
    await user.click(await combobox())
    expect(await combobox()).toHaveValue('Ana Lope')
    await user.keyboard('z')
    await user.tab()
    expect(await screen.findByText(/is in this segment/)).toHaveTextContent('Ana Lopez is in this segment.')
  })

  test('nobody is found: that is said, and Enter takes nobody', async () => {
    const { user } = open(await create('/segments', { name: 'All', filter: { all: [] } }))
    await user.type(await combobox(), 'zzzzzz')
    expect(await screen.findByText('No users found.')).toBeVisible()
    await user.keyboard('{Enter}')
    expect(screen.queryByText(/this segment\./)).toBeNull()
  })
})
