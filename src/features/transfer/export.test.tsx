import { resolveObjectURL } from 'node:buffer'
import { screen, waitFor } from '@testing-library/react'
import { strFromU8, unzipSync } from 'fflate'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { stripGuard } from '#contract/reading/guards.ts'
import { findSeparator, readRows } from '#contract/reading/table.ts'
import { testService } from '#server/testing/hooks.ts'
import { renderApp, type RenderAppOptions } from '../../testing/render-app.tsx'

/** Complete files handed to the browser for download. */
let downloads: {
  readonly name: string
  readonly text: Promise<string>
  readonly bytes: Promise<ArrayBuffer>
}[] = []

const service = testService({ jobs: true })
beforeEach(async () => {
  await service.reset()
  downloads = []
  // jsdom cannot download, so the content of the link is captured here.
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    const blob = resolveObjectURL(this.href)
    if (!blob) throw new Error('No such file.')
    downloads.push({ name: this.download, text: blob.text(), bytes: blob.arrayBuffer() })
  })
})

const open = (path: string, options: Partial<RenderAppOptions> = {}) =>
  renderApp({ service, path, ...options })
type Person = ReturnType<typeof open>['user']
const create = async (path: string, body: unknown) => await service.create('admin', path, body)
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const box = (name: string | RegExp) => screen.findByRole('checkbox', { name })

const rowsOf = (text: string) =>
  [...readRows(text, findSeparator(text))].map(({ cells }) => cells.map(stripGuard))

/** Downloads the file on the page of its export, which the form has led to, and returns its text. */
async function download(user: Person): Promise<string> {
  downloads = []
  await user.click(await screen.findByRole('button', { name: 'Download' }, { timeout: 60_000 }))
  await waitFor(() => expect(downloads).not.toEqual([]))
  return (await downloads.at(-1)?.text) ?? ''
}

/** Downloads a workbook, and returns the XML of its sheet. */
async function downloadSheet(user: Person): Promise<string> {
  await download(user)
  const file = new Uint8Array((await downloads.at(-1)?.bytes) ?? [])
  const { 'xl/worksheets/sheet1.xml': sheet = new Uint8Array() } = unzipSync(file)
  return strFromU8(sheet)
}

const people = async (count: number) => {
  for (let index = 1; index <= count; index += 1)
    await create('/users', { name: `Person ${index}`, ref: `R-${index}` })
}

test('a segment becomes a file: every user once, formulas disarmed, what is not there empty', async () => {
  await people(60)
  await create('/users', { name: '=HYPERLINK("http://x")', email: '+a@example.org', ref: '-5' })
  const outside = await create('/users', { name: 'Outside' })
  const segment = await create('/segments', {
    name: 'With a ref',
    filter: { user: 'ref', op: 'exists' },
  })
  const { user } = open(`/users?segment=${segment}`)
  await user.click(await screen.findByRole('link', { name: 'Export' }))
  await user.click(await button('Export 61 users'))
  const text = await download(user)
  expect(downloads.at(-1)?.name).toMatch(/^With-a-ref-[\d-]{10}\.csv$/)
  expect(text).toContain(`"'=HYPERLINK(""http://x"")","'+a@example.org","-5"`)
  expect(text).not.toContain('Unknown')
  const [header, ...rows] = rowsOf(text)
  expect(header).toEqual(['id', 'name', 'email', 'ref', 'since', 'created', 'account'])
  expect(rows).toHaveLength(61)
  expect(rows.at(-1)?.slice(1, 4)).toEqual(['=HYPERLINK("http://x")', '+a@example.org', '-5'])
  expect(new Set(rows.map(([id]) => id)).size).toBe(61)
  expect(rows.map(([id]) => id)).not.toContain(outside)
})

test('sensitive values stay out, and the header says so; with a reason they are in', async () => {
  const id = await create('/users', { name: 'Ana' })
  await create(`/users/${id}/entities`, {
    type: 'person',
    properties: [
      { key: 'hobby', type: 'TEXT', value: '@chess' },
      { key: 'points', type: 'NUMBER', value: -5 },
      { key: 'iban', type: 'TEXT', value: 'DE00 1234', sensitive: true },
    ],
  })
  const { user } = open('/users/export')
  await user.click(await box(/Properties of an entity/))
  await user.click(await box('All properties'))
  await user.click(await button('Export 1 user'))
  const withheld = await download(user)
  expect(screen.getByText('1 left out')).toBeVisible()
  expect(withheld).not.toContain('DE00')
  expect(rowsOf(withheld).map((cells) => cells.slice(-3))).toEqual([
    ['person.hobby (each)', 'person.iban (each, sensitive, withheld)', 'person.points (each)'],
    ['@chess', '', '-5'],
  ])

  await user.click(screen.getByRole('link', { name: 'Export users' }))
  await user.click(await box(/Properties of an entity/))
  await user.click(await box('All properties'))
  await user.click(await box(/Include sensitive values/))
  await user.click(await button('Export 1 user'))
  expect(await screen.findByText('Enter a reason.')).toBeVisible()
  await user.type(await screen.findByRole('textbox', { name: /Reason/ }), 'Audit')
  await user.click(await button('Export 1 user'))
  expect(
    rowsOf(await download(user))
      .at(-1)
      ?.slice(-3),
  ).toEqual(['@chess', 'DE00 1234', '-5'])
  const { body } = await service.call('admin', 'GET', '/audit?kind=read')
  expect(body).toMatchObject({ rows: [{ by: 'export', users: 1, keys: ['iban'], reason: 'Audit' }] })
})

test('column titles are keys, or labels of which no two are alike', async () => {
  const texts = { plate: 'AB-123', owner: 'Ana', holder: 'Bob', pin: '1234' }
  const properties = Object.entries(texts).map(([key, value]) => ({ key, type: 'TEXT', value }))
  const id = await create('/users', { name: 'Ana' })
  await create(`/users/${id}/entities`, { type: 'car', properties })
  for (const [key, definition] of Object.entries({
    plate: { label: { en: 'Licence plate' }, sensitive: true },
    owner: { label: { en: 'Holder' } },
  }))
    expect((await service.call('admin', 'PUT', `/definitions/car/${key}`, definition)).status).toBe(204)
  const { user } = open('/users/export')
  await user.click(await box(/Properties of an entity/))
  await user.clear(screen.getByRole('combobox', { name: 'Entity type' }))
  await user.type(screen.getByRole('combobox', { name: 'Entity type' }), 'car{Enter}')
  await user.click(await box('All properties'))
  expect(await box('Licence plate')).toBeChecked()
  expect(screen.getByRole('radio', { name: 'Keys' })).toBeChecked()
  await user.click(screen.getByRole('radio', { name: 'Labels' }))
  await user.click(await button('Export 1 user'))
  const [header] = rowsOf(await download(user))
  expect(header?.slice(0, 7)).toEqual(['Id', 'Name', 'E-mail', 'Ref', 'Since', 'Created', 'Account'])
  expect(header?.slice(7).toSorted()).toEqual([
    'Car PIN (each)',
    'Car licence plate (each)',
    'car.holder (each)',
    'car.owner (each)',
  ])
})

describe('with several cars per user', () => {
  const car = (colour: string) => ({
    type: 'car',
    properties: [{ key: 'colour', type: 'TEXT', value: colour }],
  })
  const isRed = [{ key: 'colour', type: 'TEXT', op: 'eq', value: 'red' }]
  const makeRed = async (colours: Readonly<Record<string, readonly string[]>>) => {
    for (const [name, all] of Object.entries(colours)) {
      const id = await create('/users', { name })
      for (const colour of all) await create(`/users/${id}/entities`, car(colour))
    }
    return await create('/segments', {
      name: 'A car: red/rosso',
      filter: { all: [{ entity: 'car', where: isRed }, { not: { entity: 'bike' } }] },
    })
  }
  const openRed = async (colours: Readonly<Record<string, readonly string[]>>) => {
    const { user } = open(`/users/export?segment=${await makeRed(colours)}`)
    await user.click(await box(/Properties of an entity/))
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Entity type' })).toHaveValue('Car'))
    await user.click(await box('Colour'))
    return user
  }
  const exportRed = async (user: Person) =>
    rowsOf(await download(user)).map(([, name = '', ...rest]) => [name, rest.at(-1)])

  test('the file has those that the segment asks for, and its name', async () => {
    const user = await openRed({ Ana: ['blue', 'red'], Bob: ['Red', 'red', 'green'], Cid: ['blue'] })
    expect(screen.getByRole('radio', { name: /^One row per matching Car entity/ })).toBeChecked()
    await user.click(await button('Export 2 users'))
    expect(await exportRed(user)).toEqual([
      ['name', 'car.colour (matching)'],
      ['Ana', 'red'],
      ['Bob', 'Red'],
      ['Bob', 'red'],
    ])
    expect(downloads.at(-1)?.name).toMatch(/^A-car-red-rosso-[\d-]{10}\.csv$/)
  })

  test('a file waits for the name of its segment', async () => {
    const segment = await makeRed({ Ana: ['red'] })
    const file = await create('/exports', { segment, format: 'csv', columns: ['name'] })
    const { promise: isReceived, resolve: receive } = Promise.withResolvers<void>()
    const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>()
    const fetch: typeof service.fetch = async (input, init) => {
      const { url } = new Request(input, init)
      if (url.endsWith(`/segments/${segment}`)) await isLetGo
      const answer = await service.fetch(input, init)
      if (url.endsWith('/file')) receive()
      return answer
    }
    const { user } = open(`/jobs/${file}`, { service: { ...service, fetch } })
    const saved = download(user)
    await isReceived
    letGo()
    await saved
    expect(downloads.at(-1)?.name).toMatch(/^A-car-red-rosso-[\d-]{10}\.csv$/)
  })

  test('so it has where the list has them in another order, which it keeps', async () => {
    const segment = await makeRed({ Ana: ['blue', 'red'], Bob: ['red'], Cid: ['blue'] })
    const { user } = open(`/users?segment=${segment}`)
    for (const order of ['ascending', 'descending']) {
      await user.click(await button('Name'))
      await waitFor(() =>
        expect(screen.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', order),
      )
    }
    await user.click(await screen.findByRole('link', { name: 'Export' }))
    expect(await screen.findByRole('radio', { name: 'All users in the list' })).toBeChecked()
    await user.click(await box(/Properties of an entity/))
    expect(await screen.findByRole('radio', { name: /^One row per matching Car entity/ })).toBeChecked()
    await user.click(await box('Colour'))
    await user.click(await button('Export 2 users'))
    expect(await exportRed(user)).toEqual([
      ['name', 'car.colour (matching)'],
      ['Bob', 'red'],
      ['Ana', 'red'],
    ])
  })

  test('one row for each car has every car', async () => {
    const user = await openRed({ Ana: ['blue', 'red'] })
    await user.click(screen.getByRole('radio', { name: 'One row per Car entity' }))
    await user.click(await button('Export 1 user'))
    expect(await exportRed(user)).toEqual([
      ['name', 'car.colour (each)'],
      ['Ana', 'blue'],
      ['Ana', 'red'],
    ])
  })

  test('one row for each user has the oldest, and says so', async () => {
    const user = await openRed({ Ana: ['blue', 'red'] })
    await user.click(screen.getByRole('radio', { name: 'One row per user: the oldest Car entity' }))
    await user.click(await button('Export 1 user'))
    expect(await exportRed(user)).toEqual([
      ['name', 'car.colour (first)'],
      ['Ana', 'blue'],
    ])
  })
})

test('a workbook has its titles and cells, and asks for no separator', async () => {
  await create('/users', { name: '=1+1', since: '2020-02-29T00:00:00.000' })
  const { user } = open('/users/export')
  await user.click(await screen.findByRole('radio', { name: /^Excel workbook/ }))
  expect(screen.queryByRole('radio', { name: 'Semicolon' })).toBeNull()
  await user.click(screen.getByRole('radio', { name: 'Labels' }))
  await user.click(await button('Export 1 user'))
  expect((await screen.findAllByText('Users as Excel workbook')).length).toBeGreaterThan(0)
  const sheet = await downloadSheet(user)
  expect(downloads.at(-1)?.name).toMatch(/^users-[\d-]{10}\.xlsx$/)
  expect(sheet).toContain('>E-mail</t>')
  expect(sheet).toContain('>=1+1</t>')
  expect(sheet).toContain('<v>43890</v>')
})

test('JSON Lines have users as the API has them, without the invitation', async () => {
  const id = await create('/users', {
    name: 'Ana',
    properties: [{ key: 'a', type: 'DATE', value: '2000-02-29' }],
  })
  const { user } = open('/users/export')
  await user.click(await screen.findByRole('radio', { name: /JSON Lines/ }))
  await user.click(await box(/Include all entities/))
  await user.click(await button('Export 1 user'))
  const [line = '', rest] = (await download(user)).split('\n')
  expect(rest).toBe('')
  expect(JSON.parse(line)).toMatchObject({
    id,
    name: 'Ana',
    email: 'Unknown email',
    account: false,
    entities: [{ type: 'person', properties: [{ key: 'a', value: '2000-02-29' }] }],
  })
  expect(line).not.toContain('invite')
})

test('each choice is one stop of Tab, and arrows change it', async () => {
  const { user } = open('/users/export')
  ;(await screen.findByRole('radio', { name: /^CSV/ })).focus()
  await user.tab()
  expect(screen.getByRole('radio', { name: 'Comma' })).toHaveFocus()
  await user.tab()
  expect(screen.getByRole('radio', { name: 'Keys' })).toHaveFocus()
  await user.tab()
  expect(await box(/Mark the file as UTF-8/)).toHaveFocus()
  await user.tab({ shift: true })
  await user.tab({ shift: true })
  await user.keyboard('{ArrowRight}')
  expect(screen.getByRole('radio', { name: 'Semicolon' })).toBeChecked()
})

test('a person who may not read entities exports users alone', async () => {
  await create('/users', { name: 'Ana' })
  const { user } = open('/users/export', { role: 'support' })
  await user.click(await box(/Properties of an entity/))
  expect(await box(/Include sensitive values/)).toBeDisabled()
  expect(screen.getByText('Your role can’t see sensitive values.')).toBeVisible()
})

test('a search is exported without being in the address, and is lost on a reload', async () => {
  await create('/users', { name: 'Ana Lopez' })
  await create('/users', { name: 'Bob' })
  const { user, router } = open('/users')
  await user.type(await screen.findByRole('searchbox', { name: 'Find users' }), 'lopez')
  await waitFor(() => expect(screen.queryByText('Bob')).toBeNull())
  await user.click(await screen.findByRole('link', { name: 'Export' }))
  expect(await screen.findByRole('radio', { name: /matching “lopez”/ })).toBeChecked()
  await user.click(await button('Export 1 user'))
  expect(rowsOf(await download(user)).map(([, name]) => name)).toEqual(['name', 'Ana Lopez'])
  await user.click(screen.getByRole('link', { name: 'Export users' }))
  await screen.findByRole('radio', { name: /matching “lopez”/ })
  const { pathname, search, state } = router.state.location
  expect(JSON.stringify({ pathname, search, state: state as unknown })).not.toContain('lopez')

  screen.getByRole('heading', { level: 1 })
  router.dispose()
  const reloaded = open(pathname)
  await reloaded.router.navigate(pathname, { state: state as unknown })
  expect(await screen.findAllByText('Your search is gone')).not.toEqual([])
})

test('an export of which somebody was deleted says that its file is gone', async () => {
  const ana = await create('/users', { name: 'Ana' })
  const { user, router, unmount } = open('/users/export')
  await user.click(await button('Export 1 user'))
  await download(user)
  const { pathname } = router.state.location
  unmount()
  await service.call('admin', 'DELETE', `/users/${ana}`)
  open(pathname)
  expect(await screen.findByText(/Someone in this file was deleted/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
})
