import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { testService } from '#server/testing/hooks.ts'
import { network } from '../../testing/network.ts'
import { renderApp } from '../../testing/render-app.tsx'

const service = testService()
beforeEach(async () => {
  await service.reset()
  const ana = await service.create('admin', '/users', {
    name: 'Ana',
    properties: [
      { key: 'phone', type: 'TEXT', sensitive: true, value: '+33 6 12 34' },
      { key: 'city', type: 'TEXT', value: 'Jena' },
    ],
  })
  await service.create('admin', '/users', { name: 'Bob' })
  for (const [plate, price] of [
    ['AB-1', '9.50'],
    ['CD-2', '12.25'],
  ])
    await service.create('admin', `/users/${ana}/entities`, {
      type: 'car',
      properties: [
        { key: 'plate', type: 'TEXT', value: plate },
        { key: 'price', type: 'CURRENCY', value: { currency: 'EUR', value: price } },
      ],
    })
})
afterEach(() => localStorage.clear())

const keep = (...properties: string[]) =>
  localStorage.setItem('data-store.users-list', JSON.stringify({ properties }))
const readKept = () => JSON.parse(localStorage.getItem('data-store.users-list') ?? '{}') as unknown

function open(options: Partial<Parameters<typeof renderApp>[0]> = {}) {
  const edge = network(service)
  return { edge, ...renderApp({ service: { ...service, fetch: edge.fetch }, path: '/users', ...options }) }
}
type Open = ReturnType<typeof open>

async function cells(header: string): Promise<(string | null)[]> {
  const table = await screen.findByRole('table', { name: 'Users' })
  const headers = within(table).getAllByRole('columnheader')
  const at = headers.indexOf(within(table).getByRole('columnheader', { name: header }))
  const rows = within(table).getAllByRole('row').slice(1)
  return rows.map((row) => row.children[at]?.textContent ?? null)
}
const shows = (header: string, ...texts: string[]) =>
  waitFor(async () => expect(await cells(header)).toEqual(texts))

async function openMenu({ user }: Open) {
  await user.click(await screen.findByRole('button', { name: 'Columns and row height' }))
  return within(await screen.findByRole('menu'))
}

async function add(app: Open, type: string, key: string) {
  const menu = await openMenu(app)
  await app.user.click(menu.getByRole('menuitem', { name: 'Add property…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add column' }))
  const typeField = dialog.getByRole('combobox', { name: 'Entity type' })
  await app.user.clear(typeField)
  await app.user.type(typeField, type)
  await app.user.type(dialog.getByRole('combobox', { name: 'Property' }), key)
  await app.user.click(dialog.getByRole('button', { name: 'Add column' }))
}

test('a value is shown in the words and unit of its definition, also with those after it', async () => {
  const choices = [
    { value: 'r', label: { en: 'Red' } },
    { value: 'b', label: { en: 'Blue' } },
  ]
  await service.call('admin', 'PUT', '/definitions/boat/colour', { type: 'TEXT', choices })
  await service.call('admin', 'PUT', '/definitions/boat/mileage', { type: 'NUMBER', unit: 'km' })
  const cyd = await service.create('admin', '/users', { name: 'Cyd' })
  for (const colour of ['r', 'b'])
    await service.create('admin', `/users/${cyd}/entities`, {
      type: 'boat',
      properties: [
        { key: 'colour', type: 'TEXT', value: colour },
        { key: 'mileage', type: 'NUMBER', value: colour === 'r' ? 1240 : 12_400 },
      ],
    })
  keep('boat.colour', 'boat.mileage')
  open()
  await shows('Boat colour', '—', '—', 'Red+1')
  await shows('Boat mileage (km)', '—', '—', '1,240+1')
  const cell = screen.getByText('+1', { selector: 'td:nth-last-child(2) *' }).parentElement
  expect(cell).toHaveAttribute('data-hint', 'Red\nBlue')
  const mileage = screen.getByText('1,240').closest('[data-hint]')
  expect(mileage).toHaveAttribute('data-hint', '1,240\u00A0km\n12,400\u00A0km')
})

test('a property is picked by the label that was written for it, with its unit and under its group', async () => {
  const define = (key: string, definition: object) =>
    service.call('admin', 'PUT', `/definitions/car/${key}`, definition)
  await define('plate', { label: { de: 'Kennzeichen', en: 'Registration' }, group: 'Papers', order: 2 })
  await define('mileage', { label: { de: 'Kilometerstand' }, type: 'NUMBER', unit: 'km', order: 1 })
  const app = open()
  const menu = await openMenu(app)
  await app.user.click(menu.getByRole('menuitem', { name: 'Add property…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add column' }))
  const typeField = dialog.getByRole('combobox', { name: 'Entity type' })
  await app.user.clear(typeField)
  await app.user.type(typeField, 'car')
  const field = dialog.getByRole('combobox', { name: 'Property' })
  await app.user.click(field)
  await waitFor(() =>
    expect(dialog.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Kilometerstand mileage.*, km/),
      expect.stringMatching(/^Registration plate/),
      expect.stringMatching(/^Price/),
    ]),
  )
  expect(dialog.getByText('Papers')).toBeVisible()
  await app.user.type(field, 'regis{Enter}')
  expect(field).toHaveValue('Registration')
  // Not Cancel, which comes first.
  expect(dialog.getByRole('button', { name: 'Add column' })).toHaveFocus()
})

test('a property gets a column, which stays over a reload, and is taken away and put back by the menu', async () => {
  const app = open()
  await add(app, 'car', 'plate')
  await shows('Car plate', 'AB-1+1', '—')
  expect(readKept()).toMatchObject({ properties: ['car.plate'] })
  expect(screen.getByRole('button', { name: 'Columns and row height' })).toHaveFocus()
  expect(localStorage.getItem('data-store.users-list')).not.toContain('AB-1')
  expect(screen.getByText('+1').parentElement).toHaveAttribute('data-hint', 'AB-1\nCD-2')
  app.unmount()

  const again = open()
  await shows('Car plate', 'AB-1+1', '—')
  // Property columns do not change how the list is read; their values are read after it.
  const asked = again.edge.requests.map(({ method, path }) => `${method} ${path}`)
  const indexOf = (pattern: RegExp) => asked.findIndex((each) => pattern.test(each))
  const [list, values] = [indexOf(/^GET .*\/users$/), indexOf(/^POST .*\/users\/lookup$/)]
  expect(list).not.toBe(-1)
  expect(values).toBeGreaterThan(list)
  expect(indexOf(/\/users\/search$/)).toBe(-1)

  const menu = await openMenu(again)
  await again.user.click(menu.getByRole('menuitemcheckbox', { name: 'Car plate' }))
  expect(screen.queryByRole('columnheader', { name: 'Car plate' })).toBeNull()
  expect(readKept()).toMatchObject({ properties: [] })
  await again.user.click(menu.getByRole('menuitemcheckbox', { name: 'Car plate' }))
  await shows('Car plate', 'AB-1+1', '—')
  await again.user.click(menu.getByRole('menuitem', { name: 'Reset' }))
  expect(screen.queryByRole('columnheader', { name: 'Car plate' })).toBeNull()
})

test('a sensitive property shows only that it has a value; a key that nobody has has a column of dashes', async () => {
  keep('person.phone', 'person.gone')
  open()
  await shows('Phone', 'Hidden value', '—')
  await shows('Gone', '—', '—')
  expect(screen.queryByText(/33 6/)).toBeNull()
})

test('whatever its type, a value is in words where it is pointed at', async () => {
  await service.create('admin', '/users', {
    name: 'Cleo',
    properties: [
      {
        key: 'newsletter',
        type: 'PREFERENCE',
        value: { status: 'GRANTED', statusDate: '2024-05-01T10:00:00Z' },
      },
      {
        key: 'post',
        type: 'PREFERENCE',
        value: { status: 'GRANTED', statusDate: '2019-05-01T10:00:00Z', expires: '2020-05-01T10:00:00Z' },
      },
      { key: 'vip', type: 'BOOLEAN', value: true },
      { key: 'met', type: 'DATETIME', value: '2024-05-01T10:00:00Z' },
    ],
  })
  keep('person.newsletter', 'person.post', 'person.vip', 'person.met')
  open()
  await waitFor(async () => expect((await cells('VIP'))[2]).toBe('Yes'))
  await waitFor(async () => expect((await cells('Newsletter'))[2]).toBe('Granted'))
  await waitFor(async () => expect((await cells('Post'))[2]).toMatch(/^Expired May 1, 2020/))
  const hints = [...document.querySelectorAll('td [data-hint]')].map((each) => each.getAttribute('data-hint'))
  expect(hints.join(' ')).not.toMatch(/[{}]/)
  expect(hints).toContain('Expired May 1, 2020')
  // A cell has room for the day alone.
  expect((await cells('Met'))[2]).toBe('May 1, 2024')
  expect(hints).toContain('Granted · May 1, 2024, 10:00:00 UTC')
  expect(hints).toContain('May 1, 2024, 10:00:00 UTC')
})

test('amounts are aligned to the end of their column, and the rows are ordered and searched as without it', async () => {
  keep('car.price')
  const { user } = open()
  await waitFor(async () => expect((await cells('Car price'))[0]).toMatch(/9\.50.*\+1$/))
  expect(screen.getByRole('columnheader', { name: 'Car price' })).toHaveAttribute('data-align', 'end')
  expect(screen.queryByRole('button', { name: 'Car price' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Name' }))
  await user.click(screen.getByRole('button', { name: 'Name' }))
  await waitFor(async () => expect((await cells('Name'))[0]).toContain('Bob'))
  await waitFor(async () => expect((await cells('Car price'))[1]).toMatch(/9\.50/))
  await user.type(screen.getByRole('searchbox', { name: 'Find users' }), 'ana')
  await waitFor(async () => expect(await cells('Name')).toHaveLength(1))
  await waitFor(async () => expect((await cells('Car price'))[0]).toMatch(/9\.50/))
})

test('an invalid property, or one that has a column already, is reported at its field', async () => {
  keep('car.plate')
  const app = open()
  await add(app, 'CAR', 'plate')
  const dialog = within(screen.getByRole('dialog', { name: 'Add column' }))
  const type = dialog.getByRole('combobox', { name: 'Entity type' })
  expect(type).toBeInvalid()
  expect(type).toHaveAccessibleDescription(/lower-case letter/)
  await app.user.clear(type)
  await app.user.type(type, 'car')
  await app.user.click(dialog.getByRole('button', { name: 'Add column' }))
  expect(dialog.getByRole('combobox', { name: 'Property' })).toHaveAccessibleDescription(
    'This property already has a column.',
  )
  await app.user.click(dialog.getByRole('button', { name: 'Cancel' }))
  expect(readKept()).toEqual({ properties: ['car.plate'] })
})

test('a failure to read the properties is reported, and the users stay listed', async () => {
  keep('car.plate')
  const { edge, user } = open()
  edge.meet(({ url }) => (url.endsWith('/lookup') ? new Response(null, { status: 403 }) : undefined))
  expect(await screen.findByText('Couldn’t load the property columns')).toBeVisible()
  await shows('Car plate', '', '')
  edge.meet(() => undefined)
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await shows('Car plate', 'AB-1+1', '—')
  expect(screen.queryByText('Couldn’t load the property columns')).toBeNull()
})

test('nobody is asked for them who may not read entities', async () => {
  keep('car.plate')
  const denied = open({ scopes: ['users:read'] })
  const item = (await openMenu(denied)).getByRole('menuitem', { name: 'Add property…' })
  expect(item).toHaveAttribute('aria-disabled', 'true')
  expect(screen.queryByRole('columnheader', { name: 'Car plate' })).toBeNull()
  expect(denied.edge.requests.some(({ path }) => path.endsWith('/lookup'))).toBe(false)
})
