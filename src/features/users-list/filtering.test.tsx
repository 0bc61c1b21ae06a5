import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import type { Role } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { startTestService } from '#server/testing/service.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()
beforeEach(() => service.reset())

async function create(path: string, body: unknown, on = service): Promise<string> {
  const { headers } = await on.call('admin', 'POST', path, body)
  return headers.get('location')?.split('/').at(-1) ?? ''
}

async function createCars(on = service) {
  for (const [name, colour, plate] of [
    ['Ana', 'red', 'AB-1'],
    ['Bob', 'blue', 'AB-2'],
    ['Cleo', 'red', 'AB-3'],
  ]) {
    const id = await create('/users', { name, email: `${name}@example.org` }, on)
    const properties = [
      { key: 'colour', type: 'TEXT', value: colour },
      { key: 'plate', type: 'TEXT', value: plate, sensitive: true },
    ]
    await create(`/users/${id}/entities`, { type: 'car', properties }, on)
  }
}

function open(role: Role = 'support', path = '/users', on = service) {
  const edge = network(on)
  return { edge, ...renderApp({ service: { ...on, fetch: edge.fetch }, path, role }) }
}
type Opened = ReturnType<typeof open>

const names = () =>
  within(screen.getByRole('table', { name: 'Users' }))
    .getAllByRole('link')
    .map((link) => link.textContent)
const showsNames = (...expected: string[]) => waitFor(() => expect(names()).toEqual(expected))

async function addColour({ user }: Opened, colour: string, key = 'colour') {
  await user.click(await screen.findByRole('button', { name: 'Filter' }))
  const form = within(await screen.findByRole('dialog'))
  await user.click(form.getByRole('radio', { name: 'About their data' }))
  await user.type(form.getByRole('textbox', { name: 'Entity type' }), 'car')
  await user.type(form.getByRole('combobox', { name: 'Property' }), key)
  await user.type(form.getByRole('textbox', { name: 'Value' }), `${colour}{Enter}`)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
}

test('conditions that nobody saved choose who is listed; each can be changed and left out', async () => {
  await createCars()
  const app = open()
  const { user, edge, router } = app
  await showsNames('Ana', 'Bob', 'Cleo')
  const headers = () => screen.getAllByRole('columnheader').map((header) => header.textContent)
  const columns = headers()
  await addColour(app, 'red')
  await showsNames('Ana', 'Cleo')
  expect(screen.getByText('2 found')).toBeVisible()
  // A filter does not add the id column, which would push another column out.
  expect(headers()).toEqual(columns)
  expect(screen.getByRole('button', { name: 'Filter' })).toHaveFocus()

  await user.click(screen.getByRole('button', { name: 'Filter' }))
  const form = within(await screen.findByRole('dialog'))
  await user.type(form.getByRole('textbox', { name: 'Value' }), 'cleo@example.org{Enter}')
  await showsNames('Cleo')
  expect(edge.requests.findLast(({ method }) => method === 'POST')?.body).toEqual({
    filter: {
      all: [
        { entity: 'car', where: [{ key: 'colour', type: 'TEXT', op: 'eq', value: 'red' }] },
        { user: 'email', op: 'eq', value: 'cleo@example.org' },
      ],
    },
  })
  await waitFor(() => expect(router.state.location.search).toBe(''))
  expect(Object.values(localStorage).join(' ')).not.toContain('red')

  await user.click(
    await screen.findByRole('button', { name: 'Remove condition: e-mail is “cleo@example.org”' }),
  )
  await showsNames('Ana', 'Cleo')
  await user.click(screen.getByRole('button', { name: 'Change condition: car colour is “red”' }))
  const value = await screen.findByRole('textbox', { name: 'Value' })
  await user.clear(value)
  await user.type(value, 'blue{Enter}')
  await showsNames('Bob')
  await user.click(screen.getByRole('button', { name: 'Clear all' }))
  await showsNames('Ana', 'Bob', 'Cleo')
})

test('nobody matches: that is said, and a visit to a user and Back finds the conditions', async () => {
  await createCars()
  const app = open()
  const { user, router } = app
  await addColour(app, 'red')
  await showsNames('Ana', 'Cleo')
  await user.click(screen.getByRole('link', { name: 'Ana' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
  await waitFor(() => expect(router.state.location.pathname).not.toBe('/users'))
  void router.navigate(-1)
  await showsNames('Ana', 'Cleo')

  await addColour(app, 'green')
  expect(await screen.findByText('No users match these conditions')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Clear conditions' }))
  await showsNames('Ana', 'Bob', 'Cleo')
})

test('a condition on a sensitive key is for those who may read it', async () => {
  await createCars()
  const first = open('support')
  const { user } = first
  await user.click(await screen.findByRole('button', { name: 'Filter' }))
  const form = within(await screen.findByRole('dialog'))
  await user.click(form.getByRole('radio', { name: 'About their data' }))
  await user.type(form.getByRole('textbox', { name: 'Entity type' }), 'car')
  await user.type(form.getByRole('combobox', { name: 'Property' }), 'plate')
  expect(await form.findByText(/Filtering by a sensitive property needs that permission/)).toBeVisible()
  await user.type(form.getByRole('textbox', { name: 'Value' }), 'AB-3{Enter}')
  expect(form.getByRole('button', { name: 'Apply' })).toBeVisible()
  expect(first.edge.requests.filter(({ path }) => path.endsWith('/search'))).toEqual([])
  first.unmount()

  const second = open('steward')
  await addColour(second, 'AB-3', 'plate')
  await showsNames('Cleo')
})

test('a form refuses a sensitive key where values are revealed for a reason alone, and names the segment as the way', async () => {
  const revealing = await startTestService({ sensitiveReads: 'reveal' })
  await createCars(revealing)
  const known = open('steward', '/users', revealing)
  const { user } = known
  await user.click(await screen.findByRole('button', { name: 'Filter' }))
  const form = within(await screen.findByRole('dialog'))
  await user.click(form.getByRole('radio', { name: 'About their data' }))
  await user.type(form.getByRole('textbox', { name: 'Entity type' }), 'car')
  await user.type(form.getByRole('combobox', { name: 'Property' }), 'plate')
  expect(await form.findByText(/a list can’t be filtered by them/)).toBeVisible()
  await user.type(form.getByRole('textbox', { name: 'Value' }), 'AB-3{Enter}')
  expect(form.getByRole('button', { name: 'Apply' })).toBeVisible()
  expect(known.edge.requests.filter(({ path }) => path.endsWith('/search'))).toEqual([])
  known.unmount()

  // If the sensitive keys are unknown to the console, the service refuses the filter.
  const unknown = open('steward', '/users', revealing)
  unknown.edge.meet(({ url }) => (url.includes('/keys') ? new Response(null, { status: 403 }) : undefined))
  await addColour(unknown, 'AB-3', 'plate')
  expect(await screen.findByText(/only a saved segment can filter by them/)).toBeVisible()
  unknown.unmount()
  await revealing.close()
})

const readHistory = () => JSON.stringify(history.state)

test('a value looked for under a key that may be sensitive is kept in memory only', async () => {
  await createCars()
  const known = open('steward')
  await addColour(known, 'red')
  await showsNames('Ana', 'Cleo')
  expect(readHistory()).toContain('red')
  known.unmount()

  history.replaceState(null, '')
  const unknown = open('steward')
  unknown.edge.meet(({ url }) => (url.includes('/keys') ? new Response(null, { status: 403 }) : undefined))
  await addColour(unknown, 'AB-3', 'plate')
  await showsNames('Cleo')
  expect(readHistory()).not.toContain('AB-3')
})

test('a form that is open stays with its condition when another one is removed; the focus stays near', async () => {
  await createCars()
  const app = open()
  const { user } = app
  for (const colour of ['red', 'blue', 'green']) await addColour(app, colour)
  const chip = (colour: string) =>
    screen.findByRole('button', { name: `Change condition: car colour is “${colour}”` })
  const remover = (colour: string) =>
    screen.getByRole('button', { name: `Remove condition: car colour is “${colour}”` })
  await user.click(await chip('blue'))
  const value = await screen.findByRole('textbox', { name: 'Value' })
  await user.click(remover('red'))
  expect(remover('blue')).toHaveFocus()
  await user.clear(value)
  await user.type(value, 'white{Enter}')
  expect(await chip('white')).toBeVisible()
  expect(await chip('green')).toBeVisible()

  await user.click(remover('green'))
  expect(remover('white')).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(screen.getByRole('button', { name: 'Filter' })).toHaveFocus()
  await showsNames('Ana', 'Bob', 'Cleo')
})

test('the list that somebody else came from leads nowhere', async () => {
  await createCars()
  const { router, user } = open('steward')
  await showsNames('Ana', 'Bob', 'Cleo')
  await user.click(screen.getByRole('link', { name: 'Bob' }))
  const steps = () => screen.queryByRole('group', { name: 'In the list' })
  await waitFor(() => expect(steps()).toBeVisible())
  const { place } = router.state.location.state as { place: object }
  await user.click(screen.getByRole('button', { name: /^Next user in the list: Cleo/ }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Cleo' })).toBeVisible()
  expect(steps()).toBeVisible()
  await router.navigate('/segments')
  expect(await screen.findByRole('heading', { level: 1, name: 'Segments' })).toBeVisible()
  await router.navigate(-1)
  expect(await screen.findByRole('heading', { level: 1, name: 'Cleo' })).toBeVisible()
  expect(steps()).toBeVisible()
  await router.navigate('.', { replace: true, state: { place: { ...place, by: 'somebody else' } } })
  await waitFor(() => expect(steps()).toBeNull())
})

test('a segment of conditions that are forgotten says so, and leads back to them', async () => {
  const { router, user } = open('admin')
  expect(await screen.findByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await router.navigate('/segments/new', { state: { listEntry: 'of an earlier start' } })
  const said = await screen.findByText('The list’s conditions were lost')
  expect(said).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Back to the list' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
})

test('a filtered list can be saved as a segment or exported', async () => {
  await createCars()
  const app = open('admin')
  const { user, router } = app
  await addColour(app, 'red')
  await showsNames('Ana', 'Cleo')
  await user.click(screen.getByRole('link', { name: 'Export' }))
  expect(await screen.findByRole('radio', { name: 'Users who match the list’s conditions' })).toBeChecked()
  expect(await screen.findByRole('button', { name: 'Export 2 users' })).toBeVisible()
  void router.navigate(-1)
  await user.click(await screen.findByRole('link', { name: 'Save as segment' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'New segment' })).toBeVisible()
  expect(await screen.findByDisplayValue('red')).toBeVisible()
})

test('a person who may not save segments is told so', async () => {
  await createCars()
  await addColour(open('support'), 'red')
  const save = await screen.findByText('Save as segment')
  expect(save.closest('a')).toHaveAttribute('aria-disabled', 'true')
})
