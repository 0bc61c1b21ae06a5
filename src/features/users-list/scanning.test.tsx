import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { renderApp } from '../../testing.tsx'
import { network } from '../../testing-network.ts'

const service = testService({ additions: 'none' })
beforeEach(() => service.reset())

async function create(path: string, body: unknown): Promise<string> {
  const { headers } = await service.call('admin', 'POST', path, body)
  return headers.get('location')?.split('/').at(-1) ?? ''
}

/** Creates users; every fortieth is named Ana. */
async function createPeople(count: number) {
  for (let index = 1; index <= count; index += 1)
    await create('/users', { name: `${index % 40 === 0 ? 'Ana' : 'Bob'} ${index}` })
}

function open(path = '/users') {
  const edge = network(service)
  return { edge, ...renderApp({ service: { ...service, fetch: edge.fetch }, path }) }
}

/** Removes offsets from paths: they consist of random letters and might contain a name by chance. */
const withoutOffsets = (paths: string) => paths.replaceAll(/offset=[\w-]+/g, '')

const box = () => screen.findByRole('searchbox', { name: 'Find users' })
const names = () =>
  within(screen.getByRole('table', { name: 'Users' }))
    .queryAllByRole('link')
    .map((link) => link.textContent)
const button = (name: string) => screen.findByRole('button', { name })
const isPage = (address: string) => /\/users(?:\?|$)/.test(address)

test('without a search on the service nothing is searched by itself; when asked, all pages, saying what was searched', async () => {
  await createPeople(120)
  const { user, edge } = open()
  await user.type(await box(), 'ana')
  expect(await button('Search 120 users')).toBeVisible()
  expect(names()).toHaveLength(50)
  const before = edge.requests.length

  await user.keyboard('{Enter}')
  expect(await screen.findByText('Searched all 120 · 3 found')).toBeVisible()
  expect(names()).toEqual(['Ana 40', 'Ana 80', 'Ana 120'])
  expect(screen.getAllByText('Ana', { selector: 'mark' })).toHaveLength(3)
  expect(edge.requests.slice(before).filter(({ path }) => isPage(path))).toHaveLength(3)
  expect(withoutOffsets(edge.requests.map(({ path }) => path).join(' '))).not.toMatch(/ana/i)

  await user.clear(await box())
  expect(await screen.findByText('1–50 of 120')).toBeVisible()
})

test('matches come as they are found; it can be stopped and gone on with', async () => {
  await createPeople(120)
  const { user, edge } = open()
  await user.type(await box(), 'ana')
  await button('Search 120 users')
  const gate = Promise.withResolvers<undefined>()
  let pages = 0
  edge.meet(({ url }) => (isPage(url) && (pages += 1) === 3 ? gate.promise : undefined))
  await user.click(await button('Search 120 users'))
  expect(await screen.findByText('Searched 100 of 120 · 2 found')).toBeVisible()
  expect(names()).toEqual(['Ana 40', 'Ana 80'])
  expect(screen.getByRole('progressbar', { name: 'Users searched' })).toHaveAttribute(
    'aria-valuetext',
    'Searched 100 of 120 · 2 found',
  )
  await user.click(await button('Stop'))
  gate.resolve(undefined)
  await user.click(await button('Continue'))
  expect(await screen.findByText('Searched all 120 · 3 found')).toBeVisible()
})

test('a page that fails stops it; the next try goes on there', async () => {
  await createPeople(120)
  const { user, edge } = open()
  await user.type(await box(), 'ana')
  await button('Search 120 users')
  let pages = 0
  edge.meet(({ url }) =>
    isPage(url) && (pages += 1) === 2 ? new Response(null, { status: 500 }) : undefined,
  )
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('alert')).toHaveTextContent('Couldn’t load a page of the list')
  expect(names()).toEqual(['Ana 40'])
  await user.click(await button('Try again'))
  expect(await screen.findByText('Searched all 120 · 3 found')).toBeVisible()
  expect(pages).toBe(4)
})

test('a visit to a user and Back finds the matches as they were, with what was changed meanwhile', async () => {
  await createPeople(120)
  const { user, router, edge } = open()
  await user.type(await box(), 'ana')
  await user.keyboard('{Enter}')
  await screen.findByText('Searched all 120 · 3 found')
  await user.click(screen.getByRole('link', { name: 'Ana 80' }))
  await screen.findByRole('heading', { level: 1, name: 'Ana 80' })
  await waitFor(() => expect(router.state.navigation.state).toBe('idle'))
  const before = edge.requests.filter(({ path }) => path.includes('offset=')).length

  void router.navigate(-1)
  await waitFor(() => expect(screen.getByRole('link', { name: 'Ana 80' })).toHaveFocus())
  expect(await box()).toHaveValue('ana')
  expect(names()).toEqual(['Ana 40', 'Ana 80', 'Ana 120'])
  expect(edge.requests.filter(({ path }) => path.includes('offset='))).toHaveLength(before)
})

test('nobody is found: all of it was searched, and a segment can be left for all users', async () => {
  await createPeople(40)
  const id = await create('/segments', {
    name: 'Anas',
    filter: { user: 'name', op: 'starts_with', value: 'Ana' },
  })
  const { user } = open(`/users?segment=${id}`)
  await user.type(await box(), 'bob')
  await user.click(await button('Search this segment’s 1 user'))
  expect(await screen.findByText('No users match “bob”')).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'Search all users' }))
  expect(await box()).toHaveValue('bob')
  await user.click(await button('Search 40 users'))
  expect(await screen.findByText('Searched all 40 · 39 found')).toBeVisible()
})

test('a whole id opens its user; an unknown one is told, and can be searched for', async () => {
  const id = await create('/users', { name: 'Ana' })
  const { user, router } = open()
  await user.type(await box(), '00000000-0000-7000-8000-000000000000{Enter}')
  expect(await screen.findByText('No user has this id')).toBeVisible()
  await user.click(await button('Search 1 user'))
  expect(await screen.findByText('Searched all 1 · 0 found')).toBeVisible()

  await user.clear(await box())
  await user.type(await box(), ` ${id} {Enter}`)
  expect(await screen.findByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
  void router.navigate(-1)
  expect(await screen.findByRole('link', { name: 'Ana' })).toBeVisible()
  expect(await box()).toHaveValue(` ${id} `)
  // The earlier search by id does not open the user a second time.
  await user.clear(await box())
  await user.type(await box(), 'ana{Enter}')
  expect(await screen.findByText('Searched all 1 · 1 found')).toBeVisible()
})

test('a text that is not a UUID is taken for an id only on request', async () => {
  await create('/users', { name: 'Ana' })
  const { user, edge } = open()
  await user.type(await box(), 'C-1042')
  await user.click(await button('Open as id'))
  expect(await screen.findByText('No user has this id')).toBeVisible()
  await user.clear(await box())
  await user.type(await box(), 'Ana Lopez{Enter}')
  expect(await screen.findByText('No users match “Ana Lopez”')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Open as id' })).toBeNull()
  expect(edge.requests.map(({ path }) => path).join(' ')).not.toContain('Lopez')
})
