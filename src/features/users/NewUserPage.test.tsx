import { configure, screen } from '@testing-library/react'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { startTestService, type TestService } from '#server/testing.ts'
import { renderApp } from '../../testing.tsx'
import { network } from './testing.ts'

configure({ asyncUtilTimeout: 10_000 })

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
beforeEach(() => service.reset())
afterAll(() => service.close())

async function create(body: unknown): Promise<string> {
  const { headers } = await service.call('admin', 'POST', '/users', body)
  return headers.get('location')?.split('/').at(-1) ?? ''
}

async function openForm() {
  const edge = network(service)
  const app = renderApp({ service: { ...service, fetch: edge.fetch }, path: '/users/new', role: 'support' })
  await screen.findByRole('heading', { name: 'New user' })
  const field = (name: string | RegExp) => screen.getByRole('textbox', { name })
  const submit = () => app.user.click(screen.getByRole('button', { name: 'Create user' }))
  return { ...app, edge, field, submit }
}

test('a new user is created with what was filled in and nothing else, and opened', async () => {
  const { user, edge, field, submit } = await openForm()
  await user.type(field('Name'), 'Ana Lopez')
  await user.type(field('E-mail'), ' ana@example.org ')
  await user.type(field(/^Since/), '2021-03-28 02:30')
  await submit()
  expect(await screen.findByRole('heading', { level: 1, name: 'Ana Lopez' })).toBeVisible()
  expect(edge.writes()).toEqual([
    ['POST', { name: 'Ana Lopez', email: 'ana@example.org', since: '2021-03-28T02:30:00' }],
  ])
  expect(screen.getByText('Mar 28, 2021, 02:30:00 UTC')).toBeVisible()
})

test('a match is told as such: nothing about the other user changes, and the way there is offered', async () => {
  const id = await create({ name: 'Ana', email: 'ana@example.org' })
  const { user, field, submit } = await openForm()
  await user.type(field('Name'), 'Somebody else')
  await user.type(field('E-mail'), 'ANA@example.org')
  await submit()
  expect(await screen.findByText('This user already exists')).toBeVisible()
  expect(field('Name')).toHaveValue('Somebody else')
  expect((await service.call('admin', 'GET', `/users/${id}`)).body).toMatchObject({ name: 'Ana' })
  await user.click(screen.getByRole('link', { name: 'Open user' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
})

test('an e-mail of one user and a ref of another: both can be opened, nothing is created', async () => {
  const ids = [await create({ email: 'ana@example.org' }), await create({ ref: 'C-1' })]
  const { user, field, submit } = await openForm()
  await user.type(field('E-mail'), 'ana@example.org')
  await user.type(field('Ref'), 'C-1')
  await submit()
  expect(await screen.findByText('Two different users match')).toBeVisible()
  const links = screen.getAllByRole('link', { name: /^Open the/ })
  expect(new Set(links.map((link) => link.getAttribute('href')))).toEqual(
    new Set(ids.map((id) => `/users/${id}`)),
  )
})

test('without an answer nothing is repeated, what was typed stays, and what is safe is said', async () => {
  const { user, edge, field, submit } = await openForm()
  await user.type(field('Name'), 'Ana')
  edge.loseNext('POST')
  await submit()
  expect(await screen.findByText('It is not known whether the user was created')).toBeVisible()
  expect(screen.getByText(/a second try may make a second user/)).toBeVisible()
  expect(edge.writes()).toHaveLength(1)
  expect(field('Name')).toHaveValue('Ana')

  await user.type(field('E-mail'), 'ana@example.org')
  edge.loseNext('POST')
  await submit()
  expect(await screen.findByText(/is found then, not made twice/)).toBeVisible()
  await submit()
  expect(await screen.findByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
})

test('what the service finds wrong is told at its field', async () => {
  const { user, edge, field, submit } = await openForm()
  await user.type(field('E-mail'), 'ana')
  await user.tab()
  expect(await screen.findByText(/Write an e-mail address/)).toBeVisible()
  await user.type(field('E-mail'), '@example.org')
  await user.type(field('Ref'), 'C 1')
  edge.meet((request) =>
    request.method === 'POST'
      ? Response.json(
          {
            status: 422,
            code: 'validation',
            errors: [{ pointer: '/ref', code: 'pattern', detail: 'No spaces here.' }],
          },
          { status: 422 },
        )
      : undefined,
  )
  await submit()
  expect(await screen.findByText('No spaces here.')).toBeVisible()
  expect(field('Ref')).toHaveAccessibleDescription(/No spaces here\./)
  expect(field('Ref')).toHaveFocus()
  expect(screen.queryByText('Nothing was saved')).toBeNull()
})

test('leaving a form that was begun asks first', async () => {
  const { user, field, router } = await openForm()
  await user.type(field('Name'), 'Ana')
  await user.click(screen.getByRole('link', { name: 'Events' }))
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  expect(field('Name')).toHaveValue('Ana')
  expect(router.state.location.pathname).toBe('/users/new')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('button', { name: 'Leave without saving' }))
  expect(await screen.findByText('No users yet')).toBeVisible()
})
