import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'

import type { Role } from '#contract/index.ts'
import { readCounts, testService } from '#server/testing/hooks.ts'
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
  await readCounts(on)
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

/** Opens the list of what to filter by, and takes what it marks for a text. */
async function choose({ user }: Opened, typed: string) {
  await user.click(await screen.findByRole('button', { name: 'Filter' }))
  await user.type(await screen.findByRole('combobox', { name: 'Property, consent, segment…' }), typed)
  await user.keyboard('{Enter}')
  return within(await screen.findByRole('dialog'))
}

async function addColour(app: Opened, colour: string, key = 'car colour') {
  const form = await choose(app, key)
  await app.user.type(await form.findByRole('combobox', { name: 'Value' }), `${colour}{Enter}`)
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

  const form = await choose(app, 'e-mail')
  await user.type(form.getByRole('textbox', { name: 'Value' }), 'cleo@example.org{Enter}')
  await showsNames('Cleo')
  expect(edge.requests.findLast(({ method }) => method === 'POST')?.body).toEqual({
    filter: {
      all: [
        { entity: 'car', where: [{ key: 'colour', type: 'TEXT', op: 'eq', value: 'red' }] },
        { user: 'email', op: 'contains', value: 'cleo@example.org' },
      ],
    },
  })
  await waitFor(() => expect(router.state.location.search).toBe(''))
  expect(Object.values(localStorage).join(' ')).not.toContain('red')

  await user.click(
    await screen.findByRole('button', { name: 'Remove condition: e-mail contains “cleo@example.org”' }),
  )
  await showsNames('Ana', 'Cleo')
  await user.click(screen.getByRole('button', { name: 'Change condition: car colour is “red”' }))
  const value = await screen.findByRole('combobox', { name: 'Value' })
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
  const form = await choose(first, 'plate')
  expect(await form.findByText(/Filtering by a sensitive property needs that permission/)).toBeVisible()
  expect(form.queryByRole('combobox', { name: 'Value' })).toBeNull()
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
  const form = await choose(known, 'plate')
  expect(await form.findByText(/a list can’t be filtered by them/)).toBeVisible()
  expect(form.queryByRole('combobox', { name: 'Value' })).toBeNull()
  expect(known.edge.requests.filter(({ path }) => path.endsWith('/search'))).toEqual([])
  known.unmount()

  // If the sensitive keys are unknown to the console, the service refuses the filter.
  const unknown = open('steward', '/users', revealing)
  unknown.edge.meet(forgetKeys)
  await addColour(unknown, 'AB-3', 'car.plate')
  expect(await screen.findByText(/only a saved segment can filter by sensitive values/)).toBeVisible()
  unknown.unmount()
  await revealing.close()
})

/** Answers as a service that tells nobody which keys there are. */
const forgetKeys = ({ url }: { readonly url: string }) =>
  /\/(?:keys|dictionary|definitions)/.test(url) ? new Response(null, { status: 403 }) : undefined

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
  unknown.edge.meet(forgetKeys)
  await addColour(unknown, 'AB-3', 'car.plate')
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
  const value = await screen.findByRole('combobox', { name: 'Value' })
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
  expect(await screen.findByRole('radio', { name: 'The filtered list' })).toBeChecked()
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

test('two conditions are added by keyboard, without knowing a key', async () => {
  await createCars()
  const { user } = open()
  await showsNames('Ana', 'Bob', 'Cleo')
  await user.keyboard('f')
  await screen.findByRole('combobox', { name: 'Property, consent, segment…' })
  await user.keyboard('colour{Enter}red{Enter}')
  await showsNames('Ana', 'Cleo')
  expect(screen.getByRole('button', { name: 'Filter' })).toHaveFocus()
  await user.keyboard('{Enter}')
  await screen.findByRole('combobox', { name: 'Property, consent, segment…' })
  await user.keyboard('name{Enter}cle{Enter}')
  await showsNames('Cleo')
})

test('pressing Filter again takes the condition that was written, and goes on to the next one', async () => {
  await createCars()
  const app = open()
  const { user } = app
  await showsNames('Ana', 'Bob', 'Cleo')
  const filter = screen.getByRole('button', { name: 'Filter' })
  const form = await choose(app, 'car colour')
  await user.click(filter)
  const value = form.getByRole('combobox', { name: 'Value' })
  await waitFor(() => expect(value).toBeInvalid())
  await user.type(value, 'red')
  await user.click(filter)
  await showsNames('Ana', 'Cleo')
  expect(await form.findByRole('combobox', { name: 'Property, consent, segment…' })).toHaveFocus()
  await user.keyboard('name{Enter}')
  await user.type(await form.findByLabelText('Value'), 'Cleo')
  await user.click(form.getByRole('button', { name: 'Apply' }))
  await showsNames('Cleo')
  await user.click(filter)
  await screen.findByRole('combobox', { name: 'Property, consent, segment…' })
  await user.click(filter)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('one press filters by an account or a segment, and two by a consent', async () => {
  const ana = await service.create('admin', '/users', { name: 'Ana' })
  const newsletter = { key: 'newsletter', type: 'PREFERENCE', value: { status: 'GRANTED' } }
  await create(`/users/${ana}/entities`, { type: 'person', properties: [newsletter] })
  await create('/users', { name: 'Bob', email: 'bob@example.org' })
  await create('/segments', { name: 'Only Bob', filter: { user: 'name', op: 'eq', value: 'Bob' } })
  await readCounts(service)
  const { user, edge } = open()
  await showsNames('Ana', 'Bob')
  const option = async (name: RegExp) => {
    await user.click(screen.getByRole('button', { name: 'Filter' }))
    await user.click(await screen.findByRole('option', { name }))
  }
  const filter = () => edge.requests.findLast(({ method }) => method === 'POST')?.body
  await option(/In segment Only Bob/)
  await showsNames('Bob')
  await user.click(screen.getByRole('button', { name: 'Clear all' }))
  await option(/No account yet/)
  await waitFor(() => expect(filter()).toEqual({ filter: { user: 'account', op: 'eq', value: false } }))
  await user.click(screen.getByRole('button', { name: 'Clear all' }))
  await option(/Newsletter/)
  expect(await screen.findByRole('radio', { name: 'is granted' })).toBeChecked()
  await user.click(screen.getByRole('radio', { name: 'is granted' }))
  await showsNames('Ana')
})

test('a form says what is missing once it was applied, and Escape and Backspace go back to the list', async () => {
  await createCars()
  const app = open()
  const { user } = app
  const form = await choose(app, 'colour')
  const value = form.getByRole('combobox', { name: 'Value' })
  expect(value).toHaveFocus()
  expect(value).toBeValid()
  await user.click(form.getByRole('button', { name: 'Apply' }))
  expect(value).toBeInvalid()
  expect(value).toHaveFocus()
  await user.keyboard('x{Backspace}')
  expect(value).toBeVisible()
  await user.keyboard('{Backspace}')
  const search = await screen.findByRole('combobox', { name: 'Property, consent, segment…' })
  expect(search).toHaveFocus()
  expect(search).toHaveValue('colour')
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('combobox', { name: 'Value' })).toHaveFocus()
  expect(await screen.findByRole('option', { name: /^red/ })).toBeVisible()
  // The first one closes the list of values.
  await user.keyboard('{Escape}{Escape}{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(screen.getByRole('button', { name: 'Filter' })).toHaveFocus()
})

test('a properties list that comes late takes nothing else for what was typed', async () => {
  await createCars()
  const { user, edge } = open()
  const late = Promise.withResolvers<void>()
  edge.meet(async ({ url }) => {
    if (/dictionary|definitions/.test(url)) await late.promise
    return undefined
  })
  await showsNames('Ana', 'Bob', 'Cleo')
  await user.keyboard('f')
  await screen.findByRole('combobox', { name: 'Property, consent, segment…' })
  await user.keyboard('colour{Enter}')
  expect(screen.getByRole('combobox', { name: 'Property, consent, segment…' })).toHaveFocus()
  late.resolve()
  expect(await screen.findByRole('combobox', { name: 'Value' })).toHaveFocus()
})

test('a defined property is chosen by its label, and several of its choices become “any of”', async () => {
  await createCars()
  const definition = {
    label: { en: 'Paint' },
    type: 'TEXT',
    choices: [{ value: 'red', label: { en: 'Crimson' } }, { value: 'blue' }, { value: 'green' }],
  }
  expect((await service.call('admin', 'PUT', '/definitions/car/colour', definition)).status).toBe(204)
  const app = open()
  const { user, edge } = app
  await showsNames('Ana', 'Bob', 'Cleo')
  await choose(app, 'paint')
  expect(await screen.findByRole('option', { name: 'Crimson' })).toBeVisible()
  await user.keyboard('{ArrowDown} {ArrowDown} ')
  expect(screen.getByRole('option', { name: 'blue' })).toBeChecked()
  await user.keyboard('{Escape}{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(edge.requests.findLast(({ method }) => method === 'POST')?.body).toEqual({
    filter: { entity: 'car', where: [{ key: 'colour', type: 'TEXT', op: 'in', value: ['red', 'blue'] }] },
  })
})

test('values that several users have are offered with how many have each, and what is typed stays out of addresses', async () => {
  await createCars()
  const app = open()
  const { user, edge } = app
  await showsNames('Ana', 'Bob', 'Cleo')
  const form = await choose(app, 'car colour')
  // Blue is not offered, since only Bob has it.
  expect(await screen.findByRole('option', { name: /^red.*2 users/ })).toBeVisible()
  expect(screen.getAllByRole('option')).toHaveLength(1)
  await user.type(form.getByRole('combobox', { name: 'Value' }), 'blu')
  expect(screen.queryByRole('option')).toBeNull()
  await user.keyboard('e{Enter}')
  await showsNames('Bob')
  expect(edge.requests.filter(({ path }) => /blu/.test(path))).toEqual([])

  const other = await choose(app, 'car colour')
  await user.click(await other.findByRole('option', { name: /^red.*2 users/ }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Remove condition: car colour is “blue”' }))
  await showsNames('Ana', 'Cleo')
})

test('no values are asked for of a sensitive property, nor of one with choices', async () => {
  await createCars()
  await service.call('admin', 'PUT', '/definitions/car/colour', { type: 'TEXT', choices: [{ value: 'red' }] })
  const app = open('steward')
  await showsNames('Ana', 'Bob', 'Cleo')
  const asked = () => app.edge.requests.filter(({ path }) => path.endsWith('/values'))
  await choose(app, 'car plate')
  expect(await screen.findByRole('combobox', { name: 'Value' })).toHaveFocus()
  await app.user.keyboard('{Escape}{Escape}')
  await choose(app, 'car colour')
  expect(await screen.findByRole('option', { name: 'red' })).toBeVisible()
  expect(asked()).toEqual([])
})

test('a property typed while the service still counts them is taken once it is there, and not for a new one', async () => {
  await createCars()
  const app = open()
  const { user, edge } = app
  let isCounted = false
  edge.meet((request) =>
    request.url.endsWith('/definitions') && !isCounted ? Response.json({ entityTypes: [] }) : undefined,
  )
  await showsNames('Ana', 'Bob', 'Cleo')
  await user.click(screen.getByRole('button', { name: 'Filter' }))
  await user.type(
    await screen.findByRole('combobox', { name: 'Property, consent, segment…' }),
    'colour{Enter}',
  )
  expect(screen.queryByRole('option', { name: /New/ })).toBeNull()
  isCounted = true
  const form = within(screen.getByRole('dialog'))
  await user.type(await form.findByRole('combobox', { name: 'Value' }), 'blue{Enter}')
  await showsNames('Bob')
})
