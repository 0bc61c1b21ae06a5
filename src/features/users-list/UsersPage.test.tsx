import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import type { UserList } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()
beforeEach(() => service.reset())

async function create(path: string, body: unknown): Promise<string> {
  const { headers } = await service.call('admin', 'POST', path, body)
  return headers.get('location')?.split('/').at(-1) ?? ''
}

const nameOf = (index: number) => `Person ${String(index).padStart(3, '0')}`
async function createPeople(count: number) {
  for (let index = 1; index <= count; index += 1) await create('/users', { name: nameOf(index) })
}

const button = (name: string) => screen.getByRole('button', { name })
const firstRow = () => within(screen.getByRole('table', { name: 'Users' })).getAllByRole('link')[0]

test('the list pages forward and back, by its buttons and by Back, and shows its position', async () => {
  await createPeople(120)
  const { user, router } = renderApp({ service, path: '/users' })

  expect(await screen.findByText('1–50 of 120')).toBeVisible()
  expect(screen.getByText('120 users')).toBeVisible()
  expect(button('First')).toBeDisabled()
  expect(button('Previous')).toBeDisabled()
  await user.click(button('Next'))
  expect(await screen.findByText('51–100 of 120')).toBeVisible()
  expect(firstRow()).toHaveTextContent(nameOf(51))
  expect(router.state.location.search).toMatch(/^\?offset=/)
  await user.click(button('Next'))
  expect(await screen.findByText('101–120 of 120')).toBeVisible()
  expect(button('Next')).toBeDisabled()

  await user.click(button('Previous'))
  expect(await screen.findByText('51–100 of 120')).toBeVisible()
  void router.navigate(-1)
  expect(await screen.findByText('101–120 of 120')).toBeVisible()
  await user.click(button('First'))
  expect(await screen.findByText('1–50 of 120')).toBeVisible()
  expect(router.state.location.search).toBe('')
  expect(firstRow()).toHaveTextContent(nameOf(1))
})

test('a page opened from a link claims no position, says why there is no way back, and leads to the first', async () => {
  await createPeople(120)
  const { body } = await service.call('admin', 'GET', '/users')
  const { next } = body as UserList
  const { user } = renderApp({ service, path: `/users?offset=${next}` })

  expect(await screen.findByText(/“Previous” isn’t available/)).toBeVisible()
  expect(firstRow()).toHaveTextContent(nameOf(51))
  expect(screen.getByText('120 users')).toBeVisible()
  expect(screen.queryByText(/51–100/)).toBeNull()
  expect(button('Previous')).toBeDisabled()
  await user.click(button('Next'))
  await waitFor(() => expect(firstRow()).toHaveTextContent(nameOf(101)))
  await user.click(button('Previous'))
  await waitFor(() => expect(firstRow()).toHaveTextContent(nameOf(51)))
  await user.click(button('First'))
  expect(await screen.findByText('1–50 of 120')).toBeVisible()
})

test('while the next page is on its way the rows stay; hovering the pager has fetched it before the click', async () => {
  await createPeople(60)
  const edge = network(service)
  const { user } = renderApp({ service: { ...service, fetch: edge.fetch }, path: '/users' })
  await screen.findByText('1–50 of 60')
  const gate = Promise.withResolvers<undefined>()
  edge.meet((request) => (request.url.includes('offset=') ? gate.promise : undefined))

  await user.hover(button('Next'))
  await waitFor(() => expect(edge.requests.some(({ path }) => path.includes('offset='))).toBe(true))
  await user.click(button('Next'))
  await waitFor(() => expect(screen.getByRole('table')).toHaveAttribute('aria-busy', 'true'))
  expect(firstRow()).toHaveTextContent(nameOf(1))
  gate.resolve(undefined)
  expect(await screen.findByText('51–60 of 60')).toBeVisible()
  expect(edge.requests.filter(({ path }) => path.includes('offset='))).toHaveLength(1)
})

test('a person without name or e-mail has no stand-in text', async () => {
  await create('/users', {})
  renderApp({ service, path: '/users' })
  expect(await screen.findByRole('link', { name: 'No name' })).toBeVisible()
  expect(screen.queryByText(/Unknown/)).toBeNull()
})

test('a segment is found by name, narrows the list and is in the address', async () => {
  await create('/users', { name: 'Ana' })
  await create('/users', { name: 'Bob' })
  await create('/segments', { name: 'Others', filter: { all: [] } })
  const id = await create('/segments', { name: 'Only Bob', filter: { user: 'name', op: 'eq', value: 'Bob' } })
  const { user, router } = renderApp({ service, path: '/users' })

  await user.click(await screen.findByRole('button', { name: 'Segment: All users' }))
  const picker = await screen.findByRole('combobox', { name: 'Segment' })
  await user.clear(picker)
  await user.type(picker, 'bob')
  expect(screen.queryByRole('option', { name: 'Others' })).toBeNull()
  await user.click(await screen.findByRole('option', { name: 'Only Bob' }))
  expect(await screen.findByText('1 user')).toBeVisible()
  await waitFor(() => expect(router.state.location.search).toBe(`?segment=${id}`))
  expect(screen.queryByText('Ana')).toBeNull()
  const chosen = screen.getByRole('button', { name: 'Segment: Only Bob' })
  expect(chosen).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('combobox', { name: 'Segment' })).toHaveFocus()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Segment: Only Bob' })).toHaveFocus())
})

test('without access to segments the list cannot be narrowed to one, and says why', async () => {
  await create('/users', { name: 'Ana' })
  const { user } = renderApp({ service, path: '/users', scopes: ['users:read'] })
  expect(await screen.findByRole('link', { name: 'Ana' })).toBeVisible()
  const choice = button('Segment: All users')
  expect(choice).toHaveAttribute('aria-disabled', 'true')
  expect(choice).toHaveAttribute('data-hint', 'Your role can’t see segments.')
  await user.click(choice)
  expect(choice).toBeVisible()
  expect(screen.queryByRole('combobox', { name: 'Segment' })).toBeNull()
})

test('a segment whose list is refused or fails is named by its id, and a failed list is asked for again', async () => {
  await create('/users', { name: 'Ana' })
  const id = await create('/segments', { name: 'Everybody', filter: { all: [] } })
  const named = `Segment: Segment ${id.slice(0, 8)}…${id.slice(-4)}`
  const edge = network(service)
  let status = 403
  edge.meet(({ url }) =>
    status !== 200 && new URL(url).pathname.endsWith('/segments')
      ? new Response(null, { status })
      : undefined,
  )
  const path = `/users?segment=${id}`
  const refused = renderApp({ service: { ...service, fetch: edge.fetch }, path, scopes: ['users:read'] })
  expect(await screen.findByRole('button', { name: named })).toHaveAttribute('aria-disabled', 'true')
  expect(screen.queryByText(/Couldn’t load the segments/)).toBeNull()
  refused.unmount()

  status = 400
  const { user } = renderApp({ service: { ...service, fetch: edge.fetch }, path })
  expect(await screen.findByText(/Couldn’t load the segments/)).toBeVisible()
  expect(await screen.findByRole('link', { name: 'Ana' })).toBeVisible()
  status = 200
  await user.click(button(named))
  expect(await screen.findByRole('option', { name: /Everybody/ })).toBeVisible()
})

test('nobody at all, nobody in a segment, and a segment that is gone are three different things', async () => {
  const first = renderApp({ service, path: '/users' })
  expect(await screen.findByText('No users yet')).toBeVisible()
  first.unmount()

  await create('/users', { name: 'Ana' })
  const id = await create('/segments', { name: 'Bobs', filter: { user: 'name', op: 'eq', value: 'Bob' } })
  const second = renderApp({ service, path: `/users?segment=${id}` })
  expect(await screen.findByText('No users in this segment')).toBeVisible()
  second.unmount()

  await service.call('admin', 'DELETE', `/segments/${id}`)
  const { user } = renderApp({ service, path: `/users?segment=${id}` })
  expect(await screen.findByText('This segment doesn’t exist')).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'Show all users' }))
  expect(await screen.findByRole('link', { name: 'Ana' })).toBeVisible()
})

test('a damaged address leads to the first page', async () => {
  await create('/users', { name: 'Ana' })
  const { user } = renderApp({ service, path: '/users?offset=damaged' })
  expect(await screen.findByText('Can’t open this page of the list')).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'Go to first page' }))
  expect(await screen.findByRole('link', { name: 'Ana' })).toBeVisible()
})

test('a role that may not read users is told so', async () => {
  renderApp({ service, path: '/users', role: 'integrator' })
  expect(await screen.findByRole('heading', { name: 'You don’t have access to this page' })).toBeVisible()
  expect(screen.getByText(/^Your role can’t see users\./)).toBeVisible()
})

test('an e-mail or ref that somebody lacks is a dash in the list and in the preview', async () => {
  await create('/users', { name: 'Ana' })
  const { user } = renderApp({ service, path: '/users' })
  const row = (await screen.findByRole('link', { name: 'Ana' })).closest('tr')
  expect([...(row?.cells ?? [])].slice(1, 3).map(({ textContent }) => textContent)).toEqual(['—', '—'])
  screen.getByRole('link', { name: 'Ana' }).focus()
  await user.keyboard(' ')
  const preview = within(await screen.findByLabelText('Preview of Ana'))
  for (const name of ['E-mail', 'Ref'])
    expect(preview.getByText(name, { selector: 'dt' }).nextElementSibling).toHaveTextContent(/^—$/)
})
