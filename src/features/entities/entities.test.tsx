import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Entity, Role } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { readable } from '../../domain/labels.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { clearToasts } from '../../ui/toast.tsx'

const service = testService()
let userId: string
let entityId: string
let edge: ReturnType<typeof network>

beforeEach(async () => {
  await service.reset()
  clearToasts()
  edge = network(service)
  userId = await create('/users', { name: 'Ana', email: 'ana@example.org' })
  entityId = await create(`/users/${userId}/entities`, {
    type: 'person',
    properties: [
      { key: 'birthday', type: 'DATE', sensitive: false, value: '1984-02-29' },
      { key: 'city', type: 'TEXT', sensitive: false, value: 'Lyon' },
      { key: 'iban', type: 'TEXT', sensitive: true, value: 'ES91-SECRET' },
      { key: 'pin', type: 'TEXT', sensitive: true, value: '4711-SECRET' },
    ],
  })
})

async function create(path: string, body: unknown): Promise<string> {
  const { headers } = await service.call('admin', 'POST', path, body)
  return headers.get('location')?.split('/').at(-1) ?? ''
}

async function readEntity(id = entityId): Promise<Entity> {
  return (await service.call('admin', 'GET', `/users/${userId}/entities/${id}`)).body
}

async function storedValues(id = entityId): Promise<Record<string, unknown>> {
  return Object.fromEntries((await readEntity(id)).properties.map(({ key, value }) => [key, value]))
}

const writes = () =>
  edge.requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => ({ method, path, body }))

interface Opening {
  role?: Role
  path?: string
  /** Whether the test expects an entity to be shown. */
  opens?: boolean
}

async function open({
  role = 'steward',
  path = `/users/${userId}/entities/${entityId}`,
  opens = true,
}: Opening = {}) {
  const app = renderApp({ service: { ...service, fetch: edge.fetch }, path, role })
  if (opens) await screen.findByRole('form')
  return app
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const button = (name: string | RegExp) => screen.getByRole('button', { name })

async function retype(user: UserEvent, name: string, text: string) {
  await user.clear(field(name))
  await user.type(field(name), text)
}

async function save(user: UserEvent) {
  await user.click(button('Review…'))
  const review = within(await screen.findByRole('dialog', { name: /^Review/ }))
  await user.click(review.getByRole('button', { name: /^Save \d/ }))
}

describe('a user with entities', () => {
  test("shows them as text at the user's own address; the row that is pressed is edited, and read again once saved", async () => {
    await create(`/users/${userId}/entities`, {
      type: 'car',
      properties: [{ key: 'first_registration', type: 'DATE', value: '2020-03-01' }],
    })
    const { user, router } = await open({ path: `/users/${userId}`, opens: false })
    expect(await screen.findByRole('heading', { name: 'Person' })).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Mar 1, 2020 car' })).toBeVisible()
    expect(screen.getByText('First registration')).toHaveAttribute('data-hint', 'first_registration')
    expect(screen.queryByRole('form')).toBeNull()
    expect(document.documentElement.outerHTML).not.toContain('SECRET')

    await user.click(screen.getByText('Lyon'))
    await screen.findByRole('form', { name: 'Edit City' })
    await waitFor(() => expect(field('Value of City')).toHaveFocus())
    await user.clear(field('Value of City'))
    await user.type(field('Value of City'), 'Brest{Control>}{Enter}{/Control}')
    expect(await screen.findByText('Brest')).toBeVisible()
    await waitFor(() => expect(button('Edit City')).toHaveFocus())
    expect(router.state.location.pathname).toBe(`/users/${userId}`)
    expect(screen.queryByRole('form')).toBeNull()
  })

  test('by keyboard: the arrows go from row to row and on to the next entity, Enter edits the row', async () => {
    await create(`/users/${userId}/entities`, {
      type: 'car',
      properties: [{ key: 'plate', type: 'TEXT', value: 'AB-123' }],
    })
    const { user } = await open({ path: `/users/${userId}`, opens: false })
    ;(await screen.findByRole('button', { name: 'Edit Birthday' })).focus()
    await user.keyboard('{ArrowDown}')
    expect(button('Edit City')).toHaveFocus()
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
    expect(button('Edit Plate')).toHaveFocus()
    await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}{Enter}')
    await screen.findByRole('form', { name: 'Edit City' })
    await waitFor(() => expect(field('Value of City')).toHaveFocus())
  })

  test('unsaved edits wait while another entity or another tab is looked at', async () => {
    const car = await create(`/users/${userId}/entities`, {
      type: 'car',
      properties: [{ key: 'plate', type: 'TEXT', value: 'AB-123' }],
    })
    const { user, router } = await open()
    await user.type(field('Value of City'), '!')
    await user.click(screen.getByRole('link', { name: 'Edit AB-123 car' }))
    await screen.findByRole('form', { name: 'AB-123 car' })
    await waitFor(() => expect(router.state.location.pathname).toBe(`/users/${userId}/entities/${car}`))
    expect(field('Value of City')).toHaveValue('Lyon!')

    await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Segments' }))
    await waitFor(() => expect(screen.queryByRole('form')).toBeNull())
    await user.click(screen.getByRole('link', { name: 'Entities' }))
    await screen.findByRole('form', { name: 'person' })
    expect(field('Value of City')).toHaveValue('Lyon!')
    expect(screen.queryByRole('form', { name: 'AB-123 car' })).toBeNull()
  })

  test('an entity is saved by itself beside another one, whose unsaved edits stay', async () => {
    const properties = [{ key: 'plate', type: 'TEXT', value: 'A 1' }]
    await create(`/users/${userId}/entities`, { type: 'car', properties })
    const { user, router } = await open()
    await retype(user, 'Value of City', 'Nice')
    await user.click(screen.getByRole('link', { name: 'Edit A 1 car' }))
    await screen.findByRole('form', { name: 'A 1 car' })
    await retype(user, 'Value of Plate', 'B 2')
    await user.keyboard('{Control>}s{/Control}')
    expect(await screen.findByText('Plate changed from A 1 to B 2')).toBeInTheDocument()
    await waitFor(() => expect(screen.getByRole('link', { name: 'Edit B 2 car' })).toHaveFocus())
    expect(router.state.location.pathname).toBe(`/users/${userId}`)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(field('Value of City')).toHaveValue('Nice')
    expect((await storedValues()).city).toBe('Lyon')
    await user.click(button('Save 1 change'))
    await waitFor(async () => expect((await storedValues()).city).toBe('Nice'))
  })

  test('only the first of many entities, and of many properties, are shown unasked', async () => {
    const properties = [...Array(14).keys()].map((index) => ({
      key: `key${index}`,
      type: 'TEXT',
      value: `value ${index}`,
    }))
    for (const _ of Array(6).keys()) await create(`/users/${userId}/entities`, { type: 'car', properties })
    const { user } = await open({ path: `/users/${userId}`, opens: false })
    await waitFor(() => expect(screen.getAllByRole('heading', { name: /car$/ })).toHaveLength(4))
    await user.click(button('Show all 7 entities'))
    expect(screen.getAllByRole('heading', { name: /car$/ })).toHaveLength(6)
    expect(screen.getAllByRole('link', { name: /^Edit .*car$/ }).at(-2)).toHaveFocus()
    expect(screen.queryByText('value 12')).toBeNull()
    const [whole = document.body] = screen.getAllByRole('button', { name: 'Show all 14 properties' })
    await user.click(whole)
    expect(screen.getByText('value 12')).toBeVisible()
    expect(button('Edit Key12')).toHaveFocus()
  })

  test('no button hides one entity, or one property, alone', async () => {
    const properties = [...Array(13).keys()].map((index) => ({
      key: `key${index}`,
      type: 'TEXT',
      value: `value ${index}`,
    }))
    for (const _ of Array(5).keys()) await create(`/users/${userId}/entities`, { type: 'car', properties })
    await open({ path: `/users/${userId}`, opens: false })
    await waitFor(() => expect(screen.getAllByRole('heading', { name: /car$/ })).toHaveLength(5))
    expect(screen.getAllByText('value 12')).toHaveLength(5)
    expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull()
  })

  test('an address of an entity that is not there says so above the others', async () => {
    await open({ path: `/users/${userId}/entities/019`, opens: false })
    expect(await screen.findByText('This entity doesn’t exist')).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Person' })).toBeVisible()
  })

  test('a list that cannot be read is asked for again, under the user', async () => {
    edge.meet(async (request, onward) =>
      new URL(request.url).pathname.endsWith('/entities')
        ? new Response('<html>', { status: 500 })
        : onward(),
    )
    const { user } = await open({ opens: false })
    expect(await screen.findByText('Couldn’t load the entities')).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Ana' })).toBeVisible()
    edge.meet(() => undefined)
    await user.click(button('Try again'))
    expect(await screen.findByLabelText('Value of City')).toHaveValue('Lyon')
  })
})

test('two persons of a user are told apart by their facts, as they are read and as they are edited', async () => {
  await create(`/users/${userId}/entities`, {
    type: 'person',
    properties: [{ key: 'first_name', type: 'TEXT', value: 'Emil' }],
  })
  const { user } = await open({ path: `/users/${userId}`, opens: false })
  expect(await screen.findByRole('heading', { name: 'Feb 29, 1984, Lyon person' })).toBeVisible()
  await user.click(screen.getByRole('link', { name: 'Edit Emil person' }))
  const form = await screen.findByRole('form', { name: 'Emil person' })
  expect(within(form).getByRole('heading', { name: 'Emil person' })).toBeVisible()
})

describe('editing', () => {
  test('one change is saved without a review, and can be undone', async () => {
    const { user } = await open()
    await retype(user, 'Value of City', 'Paris')
    await user.click(button('Save 1 change'))
    expect(await screen.findByText('City changed from Lyon to Paris')).toBeVisible()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(await storedValues()).toMatchObject({ city: 'Paris' })
    await waitFor(() => expect(screen.getByRole('form')).toHaveFocus())
    await user.click(button('Undo'))
    await waitFor(() => expect(field('Value of City')).toHaveValue('Lyon'))
    expect(await storedValues()).toMatchObject({ city: 'Lyon' })
  })

  test('one removal is saved without a review, and a second change asks for one', async () => {
    const { user } = await open()
    await user.click(button('Remove Birthday'))
    expect(button('Save 1 removal')).toBeVisible()
    await retype(user, 'Value of City', 'Paris')
    expect(screen.queryByRole('button', { name: /^Save/ })).not.toBeInTheDocument()
    await user.keyboard('{Control>}s{/Control}')
    expect(await screen.findByRole('dialog', { name: /^Review/ })).toBeVisible()
    expect(writes()).toEqual([])
    await user.keyboard('{Escape}')
    await retype(user, 'Value of City', 'Lyon')
    await user.keyboard('{Control>}s{/Control}')
    expect(await screen.findByText('Birthday removed')).toBeInTheDocument()
    expect(await storedValues()).toEqual({ city: 'Lyon', iban: 'ES91-SECRET', pin: '4711-SECRET' })
  })

  test('a key that was changed alone is changed back by its undo', async () => {
    const { user } = await open()
    await retype(user, 'Property: City', 'town')
    await user.click(button('Save 1 change'))
    await waitFor(async () => expect(await storedValues()).toMatchObject({ town: 'Lyon' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(async () => expect(await storedValues()).toMatchObject({ city: 'Lyon' }))
  })

  test('a changed value is reviewed on request, and sent as a PATCH of its key alone', async () => {
    const { user } = await open()
    await retype(user, 'Value of City', 'Paris')
    await user.click(button('Review…'))
    const review = within(await screen.findByRole('dialog'))
    expect(review.getByRole('row', { name: /^City/ })).toHaveTextContent('LyonParis')
    expect(review.getByText('Only City changes.')).toBeVisible()
    expect(writes()).toEqual([])
    await user.click(review.getByRole('button', { name: 'Save 1 change' }))

    expect(await screen.findByText('City changed from Lyon to Paris')).toBeInTheDocument()
    expect(writes()).toEqual([
      {
        method: 'PATCH',
        path: `/api/users/${userId}/entities/${entityId}`,
        body: {
          type: 'person',
          properties: [{ key: 'city', type: 'TEXT', sensitive: false, value: 'Paris' }],
        },
      },
    ])
    expect(await storedValues()).toMatchObject({ city: 'Paris', birthday: '1984-02-29', iban: 'ES91-SECRET' })
    expect(screen.queryByRole('button', { name: 'Review…' })).not.toBeInTheDocument()
    await waitFor(() => expect(screen.getByRole('form')).toHaveFocus())
    expect(field('Value of City')).toHaveValue('Paris')
  })

  test('an added property starts at its key and goes as a PATCH', async () => {
    const { user } = await open()
    await user.click(button('Add property'))
    expect(field('Property: new property')).toHaveFocus()
    await user.keyboard('limit')
    await user.selectOptions(field('Type of Limit'), 'CURRENCY')
    await user.type(field('Value of Limit, amount'), '12.50')
    await user.type(field('Value of Limit, currency'), 'eur')
    await save(user)
    await waitFor(async () =>
      expect(await storedValues()).toMatchObject({ limit: { currency: 'EUR', value: '12.50' } }),
    )
    expect(writes().map(({ method }) => method)).toEqual(['PATCH'])
  })

  test('a removal can be taken back, and goes as a PUT of the rest', async () => {
    const { user } = await open()
    await user.click(button('Remove City'))
    expect(button('Keep City')).toHaveFocus()
    expect(screen.getByText('1 removal')).toBeVisible()
    await user.click(button('Keep City'))
    expect(field('Value of City')).toHaveFocus()
    expect(field('Value of City')).toHaveValue('Lyon')
    await user.click(button('Remove City'))
    await save(user)
    expect(await screen.findByText('City removed')).toBeInTheDocument()
    expect(writes().map(({ method }) => method)).toEqual(['PUT'])
    expect(await storedValues()).toEqual({ birthday: '1984-02-29', iban: 'ES91-SECRET', pin: '4711-SECRET' })
  })

  test('another key is a rename: a PUT with the value under the new key', async () => {
    const { user } = await open()
    await retype(user, 'Property: City', 'town')
    await save(user)
    expect(await screen.findByText('Town changed')).toBeInTheDocument()
    expect(writes().map(({ method }) => method)).toEqual(['PUT'])
    expect(await storedValues()).toEqual({
      birthday: '1984-02-29',
      town: 'Lyon',
      iban: 'ES91-SECRET',
      pin: '4711-SECRET',
    })
  })

  test('the type of the entity alone', async () => {
    const { user } = await open()
    await retype(user, 'Entity type', 'contact')
    await save(user)
    expect(await screen.findByText('Entity type changed')).toBeInTheDocument()
    expect(writes().map(({ method, body }) => [method, body])).toEqual([
      ['PATCH', { type: 'contact', properties: [] }],
    ])
    expect((await readEntity()).type).toBe('contact')
  })

  test('another type of a property keeps what is there, judges it, and brings it back', async () => {
    const { user } = await open()
    await user.selectOptions(field('Type of City'), 'NUMBER')
    expect(field('Value of City')).toHaveValue('Lyon')
    expect(screen.getByText('Enter a number, such as 12.5.')).toBeVisible()
    await user.click(button('Review…'))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(field('Value of City')).toHaveFocus()
    await user.selectOptions(field('Type of City'), 'TEXT')
    expect(field('Value of City')).toHaveValue('Lyon')
    expect(screen.queryByRole('button', { name: 'Review…' })).not.toBeInTheDocument()
  })

  test('another type alone is reviewed with the value as each type writes it', async () => {
    const { user } = await open()
    await user.selectOptions(field('Type of Birthday'), 'TEXT')
    await user.click(button('Review…'))
    const review = within(await screen.findByRole('dialog'))
    const [was, willBe] = within(review.getByRole('row', { name: /^Birthday/ })).getAllByRole('cell')
    expect(was).toHaveTextContent(/^DateFeb 29, 1984$/)
    expect(willBe).toHaveTextContent(/^Text1984-02-29$/)
  })

  test('a duplicate key is refused before anything is sent', async () => {
    const { user } = await open()
    await user.click(button('Add property'))
    await user.keyboard('city')
    await user.click(button('Review…'))
    expect(screen.getByText('This property is already listed.')).toBeVisible()
    expect(writes()).toEqual([])
  })

  test('discarding asks, then shows what was loaded', async () => {
    const { user } = await open()
    await retype(user, 'Value of City', 'Paris')
    await user.click(button('Discard'))
    await user.click(await screen.findByRole('button', { name: 'Discard 1 change' }))
    expect(field('Value of City')).toHaveValue('Lyon')
    await waitFor(() => expect(screen.getByRole('form')).toHaveFocus())
    expect(writes()).toEqual([])
  })

  test('leaving with unsaved changes asks', async () => {
    const { user, router } = await open()
    await retype(user, 'Value of City', 'Paris')
    await user.click(
      within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Segments' }),
    )
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
    expect(router.state.location.pathname).toContain(entityId)
    expect(field('Value of City')).toHaveValue('Paris')
    await user.click(
      within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Segments' }),
    )
    await user.click(await screen.findByRole('button', { name: 'Leave without saving' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/segments'))
  })
})

describe('a new entity', () => {
  test('takes a value of each of the twelve types', async () => {
    const { user, router } = await open({ path: `/users/${userId}/entities/new` })
    await user.type(field('Entity type'), 'sample')
    const other = await create('/users', { name: 'Bo' })
    const inputs: [type: string, typed: Record<string, string>][] = [
      ['BOOLEAN', {}],
      ['CURRENCY', { ', amount': '0.10', ', currency': 'JPY' }],
      ['DATE', { '': '2024-02-29' }],
      ['DATETIME', { ' (UTC)': '2024-03-01 09:30' }],
      ['TIME', { '': '09:30' }],
      ['DECIMAL', { '': '12.340' }],
      ['EMAIL', { '': 'bo@example.org' }],
      ['NUMBER', { '': '-1.5' }],
      ['RELATIONSHIP', { ', user id': other }],
      ['TEXT', { '': 'two{Enter}lines' }],
      ['URL', { '': 'https://example.org/a?b=c' }],
      ['PREFERENCE', { ', expires (UTC)': '2030-01-01 00:00' }],
    ]
    for (const [type, typed] of inputs) {
      const label = readable(type.toLowerCase())
      if (type !== 'BOOLEAN') await user.click(button('Add property'))
      await user.type(field('Property: new property'), type.toLowerCase())
      await user.selectOptions(field(`Type of ${label}`), type)
      for (const [part, text] of Object.entries(typed))
        await user.type(field(`Value of ${label}${part}`), text)
    }
    await user.click(
      within(screen.getByRole('radiogroup', { name: 'Value of Boolean' })).getByLabelText('No'),
    )
    await user.selectOptions(field('Value of Preference, status'), 'DENIED')
    await user.click(button('Create entity'))

    expect(await screen.findByText('Sample added')).toBeInTheDocument()
    await waitFor(() => expect(router.state.location.pathname).not.toContain('/new'))
    const values = await storedValues(router.state.location.pathname.split('/').at(-1))
    expect(values).toEqual({
      boolean: false,
      currency: { currency: 'JPY', value: '0.10' },
      date: '2024-02-29',
      datetime: '2024-03-01T09:30:00.000Z',
      time: '09:30',
      decimal: '12.340',
      email: 'bo@example.org',
      number: -1.5,
      relationship: { user: other },
      text: 'two\nlines',
      url: 'https://example.org/a?b=c',
      preference: {
        status: 'DENIED',
        statusDate: expect.stringMatching(/Z$/),
        expires: '2030-01-01T00:00:00.000Z',
      },
    })
    expect(await screen.findByLabelText('Value of Decimal')).toHaveValue('12.340')
    expect(screen.getByRole('link', { name: 'Open example.org in a new tab' })).toHaveAttribute(
      'rel',
      'noopener noreferrer',
    )
  })

  test('without a type it says what is missing; with one alone it is made', async () => {
    const { user } = await open({ path: `/users/${userId}/entities/new` })
    await user.type(field('Property: new property'), 'brand')
    await user.click(button('Create entity'))
    expect(screen.getByText('Enter a type.')).toBeVisible()
    expect(field('Entity type')).toHaveFocus()
    await user.type(field('Entity type'), 'car')
    await user.click(button('Create entity'))
    expect(await screen.findByText('Car added')).toBeInTheDocument()
  })
})

describe('deleting', () => {
  test('names the type and how much goes, and leads to what is left', async () => {
    await create(`/users/${userId}/entities`, { type: 'car', properties: [] })
    const { user, router } = await open()
    await user.click(button('Delete this person'))
    expect(await screen.findByRole('dialog', { name: 'Delete this person with 4 properties?' })).toBeVisible()
    await user.click(button('Delete person'))
    await waitFor(() => expect(router.state.location.pathname).toBe(`/users/${userId}`))
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Person' })).not.toBeInTheDocument())
    expect(await screen.findByRole('heading', { name: 'Car' })).toBeVisible()
    expect((await service.call('admin', 'GET', `/users/${userId}/entities/${entityId}`)).status).toBe(404)
  })

  test('with what was typed on it, which nobody is asked about any more', async () => {
    const { user, router } = await open()
    await user.type(field('Value of City'), '!')
    await user.click(button('Delete this person'))
    await user.click(await screen.findByRole('button', { name: 'Delete person' }))
    await screen.findByText('Person deleted')
    await waitFor(() => expect(router.state.location.pathname).toBe(`/users/${userId}`))
    await user.click(
      within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Segments' }),
    )
    await waitFor(() => expect(router.state.location.pathname).toBe('/segments'))
  })

  test('with a lost answer looks the entity up: if it is still there, the outcome is unknown', async () => {
    await create(`/users/${userId}/entities`, { type: 'car', properties: [] })
    const { user } = await open()
    for (const isDone of [false, true]) {
      edge.meet(async (request, onward) => {
        if (request.method !== 'DELETE') return onward()
        if (isDone) await onward()
        throw new TypeError('Failed to fetch')
      })
      if (!isDone) await user.click(button('Delete this person'))
      await user.click(await screen.findByRole('button', { name: 'Delete person' }))
      if (isDone) expect(await screen.findByText('Person deleted')).toBeInTheDocument()
      else expect(await screen.findByRole('alert')).toHaveTextContent('The entity may have been deleted')
    }
    expect(writes()).toHaveLength(2)
  })

  test('the last entity leaves a link to add another', async () => {
    const { user } = await open()
    await user.click(button('Delete this person'))
    await user.click(await screen.findByRole('button', { name: 'Delete person' }))
    expect(await screen.findByText('No entities yet')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Add entity' })).toBeVisible()
  })
})

describe('somebody who may only read', () => {
  test('sees the values, but no input, and no way to a sensitive one', async () => {
    await open({ role: 'support' })
    expect(screen.getByText('Lyon')).toBeVisible()
    expect(document.documentElement.outerHTML).not.toContain('SECRET')
    const form = within(screen.getByRole('form'))
    expect(form.queryByRole('textbox')).not.toBeInTheDocument()
    expect(form.queryByRole('combobox')).not.toBeInTheDocument()
    expect(form.getByRole('heading', { name: 'Person' })).toBeVisible()
    expect(form.queryByRole('checkbox')).not.toBeInTheDocument()
    expect(form.queryByRole('button', { name: /Reveal|Replace|Remove|Add/ })).not.toBeInTheDocument()
    expect(button('Delete this person')).toHaveAttribute('aria-disabled', 'true')
  })
})

describe('another service', () => {
  const answering = (properties: unknown[]) => {
    edge.meet(async (request, onward) => {
      const response = await onward()
      if (request.method !== 'GET' || !request.url.includes('/entities')) return response
      const own = (await response.json()) as Entity | Entity[]
      const foreign = (of: Entity) => ({ ...of, properties })
      return Response.json(Array.isArray(own) ? own.map(foreign) : foreign(own))
    })
  }

  test('a value that does not fit is shown as it is, marked, and sent back untouched', async () => {
    answering([
      { key: 'born', type: 'DATE', value: 'about 1984', sensitive: false },
      { key: 'tint', type: 'COLOUR', value: { r: 1.5 }, sensitive: false },
      { key: 'city', type: 'TEXT', value: 'Lyon', sensitive: false },
    ])
    const { user } = await open()
    expect(screen.getByText('about 1984')).toBeVisible()
    expect(
      screen.getByText('Doesn’t fit the type “Date”. The value stays as it is unless you edit it.'),
    ).toBeVisible()
    expect(field('Type of Tint')).toHaveValue('COLOUR')
    expect(field('Value of Tint')).toHaveValue('{"r":1.5}')
    await user.click(button('Remove City'))
    await save(user)
    await screen.findByRole('alert')
    expect(writes().map(({ body }) => body)).toEqual([
      {
        type: 'person',
        properties: [
          { key: 'born', type: 'DATE', value: 'about 1984', sensitive: false },
          { key: 'tint', type: 'COLOUR', value: { r: 1.5 }, sensitive: false },
        ],
      },
    ])
    await user.click(button('Edit: Value of Born'))
    expect(field('Value of Born')).toHaveValue('about 1984')
  })

  test('keys that repeat are said; they cannot be changed, and nothing be removed', async () => {
    answering([
      { key: 'city', type: 'TEXT', value: 'Lyon', sensitive: false },
      { key: 'city', type: 'TEXT', value: 'Paris', sensitive: false },
      { key: 'nick', type: 'TEXT', value: 'Ani', sensitive: false },
    ])
    const { user } = await open()
    expect(screen.getByText(/City appears more than once here/)).toBeVisible()
    expect(screen.queryByLabelText('Value of City')).not.toBeInTheDocument()
    expect(button('Remove Nick')).toHaveAttribute('aria-disabled', 'true')
    expect(field('Property: Nick')).toHaveAttribute('readonly')
    await retype(user, 'Value of Nick', 'Anita')
    await save(user)
    await waitFor(() => expect(writes().map(({ method }) => method)).toEqual(['PATCH']))
  })
})
