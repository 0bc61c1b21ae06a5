import { screen, waitFor, within } from '@testing-library/react'
import { strToU8, zipSync } from 'fflate'
import { beforeEach, expect, test } from 'vitest'

import type { Entity, UserList } from '#contract/index.ts'
import { readCounts, testService } from '#server/testing/hooks.ts'
import { network } from '../../testing/network.ts'
import { renderApp, type RenderAppOptions } from '../../testing/render-app.tsx'

const service = testService({ jobs: true })
let edge: ReturnType<typeof network>
beforeEach(async () => {
  await service.reset()
  edge = network(service)
})

const open = (options: Partial<RenderAppOptions> = {}) =>
  renderApp({
    service: { ...service, fetch: edge.fetch },
    path: '/users/import',
    role: 'steward',
    ...options,
  })
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const heading = (name: string) => screen.findByRole('heading', { level: 1, name })

async function paste(rows: string) {
  const app = open()
  const box = await screen.findByRole('textbox', { name: /Or paste rows/ })
  await app.user.click(box)
  await app.user.paste(rows)
  await app.user.click(await button('Use pasted rows'))
  await screen.findByRole('list', { name: 'Columns of the file' })
  return app
}

async function readUsers() {
  const { body } = await service.call('admin', 'GET', '/users')
  const found = []
  for (const { id, name, email } of (body as UserList).users) {
    const { body: entities } = await service.call('admin', 'GET', `/users/${id}/entities`)
    const properties = (entities as Entity[]).flatMap((entity) => entity.properties)
    const values = properties.map(({ key, value, sensitive }) => [key, sensitive ? [value] : value] as const)
    found.push({ name, email, ...Object.fromEntries(values) })
  }
  return found
}

const outcome = (name: string) =>
  screen.getByText(name, { selector: 'dt' }).parentElement?.querySelector('dd')?.textContent

test('pasted rows become users: proposed, checked, imported and undone', async () => {
  await service.create('admin', '/users', {
    name: 'Tom Old',
    email: 'tom@example.org',
    properties: [{ key: 'city', type: 'TEXT', value: 'Bonn' }],
  })
  const { user } = await paste(
    'Vorname;Nachname;E-Mail;city\nRosa;Klein;rosa@example.org;Köln\nTom;Berg;TOM@example.org;Ulm',
  )
  expect(screen.getByRole('combobox', { name: 'Import Vorname as' })).toHaveDisplayValue('First name')
  expect(screen.getByRole('combobox', { name: 'Import city as' })).toHaveDisplayValue('Property')
  await user.click(screen.getByRole('radio', { name: 'Overwrite their values' }))
  await user.click(await button('Check 2 rows'))

  expect(await button('Create 1 user, update 1')).toBeVisible()
  expect(await screen.findByRole('region', { name: 'What changes' })).toBeVisible()
  expect([outcome('New'), outcome('Will change')]).toEqual(['1', '1'])
  const rows = within(screen.getByRole('table', { name: 'Rows of the file' }))
  expect(await rows.findByText(/Bonn/)).toBeVisible()
  expect(await readUsers()).toHaveLength(1)
  // A mapping that is sent after the check has begun would undo it.
  const methods = edge.requests.map(({ method, path }) => (path.endsWith('/check') ? 'check' : method))
  expect(methods.slice(methods.indexOf('check'))).not.toContain('PUT')
  await user.click(await button('Create 1 user, update 1'))
  expect(await screen.findByText('Finished')).toBeVisible()
  expect(await readUsers()).toEqual(
    expect.arrayContaining([
      { name: 'Rosa Klein', email: 'rosa@example.org', city: 'Köln' },
      { name: 'Tom Berg', email: 'tom@example.org', city: 'Ulm' },
    ]),
  )

  expect(await screen.findByRole('region', { name: 'What changed' })).toBeVisible()
  await user.click(await button('Undo import…'))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Undo 2 rows' }))
  expect(await screen.findByText('Undone')).toBeVisible()
  const undone = within(screen.getByRole('table', { name: 'Rows of the file' }))
  expect(await undone.findByRole('link', { name: 'Deleted user' })).toBeVisible()
  expect(undone.getByRole('link', { name: 'Tom Old' })).toBeVisible()
  expect(await readUsers()).toEqual([{ name: 'Tom Old', email: 'tom@example.org', city: 'Bonn' }])
})

test('a user who has changed since the check is marked in the rows, without changes that will not be made', async () => {
  const city = { key: 'city', type: 'TEXT', value: 'Bonn' }
  await service.create('admin', '/users', { name: 'Eva', properties: [city] })
  const tom = await service.create('admin', '/users', { name: 'Tom', email: 'tom@example.org' })
  const { user, router, unmount } = await paste('E-mail;city\nrosa@example.org;Köln\ntom@example.org;Ulm')
  await user.click(await button('Check 2 rows'))
  expect(await button('Create 1 user, update 1')).toBeVisible()
  expect(await screen.findByText(/Ulm/)).toBeVisible()
  expect(screen.queryByText('Some users have changed since the check')).toBeNull()
  await service.create('admin', `/users/${tom}/entities`, { type: 'person', properties: [city] })
  unmount()
  open({ path: router.state.location.pathname })
  expect(await screen.findByText('Some users have changed since the check')).toBeVisible()
  expect(await heading('Import of 2 rows')).toBeVisible()
  const rows = within(screen.getByRole('table', { name: 'Rows of the file' }))
  expect(rows.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    expect.any(String),
    expect.stringMatching(/^2New.*City: Köln$/),
    '3Changed since the checkTom by e-mail',
  ])
})

test('lines of JSON become users, and have no separator and no row of names to choose', async () => {
  const { user } = await paste('{"name":"Rosa","email":"rosa@example.org"}\n{"name":"Tom","ref":"K-2"}')
  expect(screen.getByRole('combobox', { name: 'Encoding' })).toHaveDisplayValue('UTF-8')
  for (const name of ['Separator', 'Column names'])
    expect(screen.queryByRole('combobox', { name })).toBeNull()
  await user.click(await button('Check 2 rows'))
  await user.click(await button('Create 2 users'))
  expect(await screen.findByText('Finished')).toBeVisible()
  expect((await readUsers()).map(({ name }) => name)).toEqual(['Rosa', 'Tom'])
})

test('cells with two meanings are asked about, and words stand for values', async () => {
  const { user } = await paste(
    'E-mail,joined,vip\na@example.org,3/1/2024,ja\nb@example.org,4/2/2024,nein\nc@example.org,5/2/2024,vielleicht',
  )
  for (const [column, type] of [
    ['joined', 'DATE'],
    ['vip', 'BOOLEAN'],
  ] as const) {
    await user.selectOptions(screen.getByRole('combobox', { name: `Import ${column} as` }), 'Property')
    await user.selectOptions(screen.getByRole('combobox', { name: `Type of ${column}` }), type)
  }
  const question = await screen.findByRole('combobox', { name: 'Dates in joined' })
  await user.selectOptions(question, within(question).getByRole('option', { name: /3 Jan|Jan 3/ }))
  await user.selectOptions(await screen.findByRole('combobox', { name: '“vielleicht” means' }), 'true')
  expect(await screen.findByText('Chosen values')).toBeVisible()
  await user.click(await button('Check 3 rows'))
  await user.click(await button('Create 3 users'))
  expect(await screen.findByText('Finished')).toBeVisible()
  expect(await readUsers()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ email: 'a@example.org', joined: '2024-01-03', vip: true }),
      expect.objectContaining({ email: 'b@example.org', joined: '2024-02-04', vip: false }),
      expect.objectContaining({ email: 'c@example.org', vip: true }),
    ]),
  )
})

test('a cell that is none of the choices of its property is matched to one, or kept as written', async () => {
  const choices = [
    { value: 'de', label: { en: 'German' } },
    { value: 'fr', label: { en: 'French' } },
  ]
  await service.call('admin', 'PUT', '/definitions/person/language', { type: 'TEXT', choices })
  const { user } = await paste(
    'E-mail,language\na@example.org,german\nb@example.org,Deutsch\nc@example.org,Klingon\nd@example.org,Elvish',
  )
  expect(await screen.findByText('3 cells can’t be read')).toBeVisible()
  await user.selectOptions(screen.getByRole('combobox', { name: '“Deutsch” means' }), 'German')
  await user.selectOptions(
    await screen.findByRole('combobox', { name: '“Klingon” means' }),
    'Keep as written',
  )
  expect(await screen.findByText('1 cell can’t be read')).toBeVisible()
  expect(screen.getByRole('combobox', { name: '“Klingon” means' })).toHaveDisplayValue('Keep as written')
  await user.click(await button('Check 4 rows'))
  expect(await screen.findByText(/1 × Not one of the choices/)).toBeVisible()
  await user.click(await button('Create 3 users'))
  expect(await screen.findByText('Finished')).toBeVisible()
  expect(await readUsers()).toEqual([
    expect.objectContaining({ email: 'a@example.org', language: 'de' }),
    expect.objectContaining({ email: 'b@example.org', language: 'de' }),
    expect.objectContaining({ email: 'c@example.org', language: 'Klingon' }),
  ])
})

test('the rows of a check say values as their definitions do, and count what changes without what does not', async () => {
  const choices = [
    { value: 'de', label: { en: 'German' } },
    { value: 'fr', label: { en: 'French' } },
  ]
  await service.call('admin', 'PUT', '/definitions/person/language', { type: 'TEXT', choices })
  await service.create('admin', '/users', {
    name: 'Tom',
    email: 'tom@example.org',
    properties: [{ key: 'language', type: 'TEXT', value: 'de' }],
  })
  const { user } = await paste('E-Mail;language\ntom@example.org;fr')
  await user.click(screen.getByRole('radio', { name: 'Overwrite their values' }))
  await user.click(await button('Check 1 row'))
  const rows = within(await screen.findByRole('table', { name: 'Rows of the file' }))
  expect((await rows.findByText(/^Language/)).textContent).toBe('Language: German → French')
  const effects = within(screen.getByRole('region', { name: 'What changes' }))
  expect(effects.getByRole('listitem')).toHaveTextContent(/^Language: 1 changed$/)
})

test('the rows of a check write numbers as the reader does on both sides, and say a change of type', async () => {
  await service.create('admin', '/users', {
    email: 'tom@example.org',
    properties: [
      { key: 'mileage', type: 'NUMBER', value: 12_345 },
      { key: 'points', type: 'TEXT', value: '12,345' },
    ],
  })
  const { user } = await paste('E-Mail;mileage;points\ntom@example.org;12346;12345')
  for (const [column, type] of [
    ['mileage', 'NUMBER'],
    ['points', 'NUMBER'],
  ] as const) {
    await user.selectOptions(screen.getByRole('combobox', { name: `Import ${column} as` }), 'Property')
    await user.selectOptions(screen.getByRole('combobox', { name: `Type of ${column}` }), type)
  }
  await user.click(screen.getByRole('radio', { name: 'Overwrite their values' }))
  await user.click(await button('Check 1 row'))
  const rows = within(await screen.findByRole('table', { name: 'Rows of the file' }))
  expect((await rows.findByText(/^Mileage/)).textContent).toBe('Mileage: 12,345 → 12,346')
  expect(rows.getByText(/^Points/).textContent).toBe('Points: 12,345 → 12,345 · Text → Number')
})

test('a column of another entity type says its label, and that others hide it', async () => {
  const fuel = { label: { en: 'Runs on' } }
  expect((await service.call('admin', 'PUT', '/definitions/car/fuel', fuel)).status).toBe(204)
  const user = await service.create('admin', '/users', { name: 'Rosa', email: 'rosa@example.org' })
  const properties = [{ key: 'fuel', type: 'TEXT', value: 'diesel', sensitive: true }]
  await service.create('admin', `/users/${user}/entities`, { type: 'car', properties })
  await readCounts(service)
  await paste(`id,name,created,car.fuel (each)\n${user},Rosa,,gas`)
  expect(screen.getByRole('combobox', { name: 'Import car.fuel (each) as' })).toHaveDisplayValue(
    'Car property',
  )
  await waitFor(() =>
    expect(screen.getByRole('combobox', { name: 'Property for car.fuel (each)' })).toHaveValue('Runs on'),
  )
  expect(await screen.findByText(/^Marked as sensitive for/)).toBeVisible()
  expect(screen.getByRole('checkbox', { name: 'car.fuel (each) is sensitive' })).toBeChecked()
})

test('a column of values that are sealed elsewhere is sealed, and support cannot read it', async () => {
  for (let n = 0; n < 3; n += 1)
    await service.create('admin', '/users', {
      properties: [{ key: 'iban', type: 'TEXT', value: `DE${n}`, sensitive: true }],
    })
  const { user } = await paste('Name,E-mail,IBAN\nRosa Klein,rosa@example.org,DE4711')
  expect(await screen.findByRole('checkbox', { name: 'IBAN is sensitive' })).toBeChecked()
  await user.click(await button('Check 1 row'))
  const rows = within(await screen.findByRole('table', { name: 'Rows of the file' }))
  expect(await rows.findByText(/Hidden/)).toBeVisible()
  await user.click(await button('Create 1 user'))
  expect(await screen.findByText('Finished')).toBeVisible()
  expect(await readUsers()).toContainEqual({
    name: 'Rosa Klein',
    email: 'rosa@example.org',
    iban: ['DE4711'],
  })
})

test('the check and the import warn of values in clear that are hidden for others', async () => {
  for (const sensitive of [false, ...Array<boolean>(9).fill(true)])
    await service.create('admin', '/users', {
      properties: ['iban', 'pin'].map((key) => ({ key, type: 'TEXT', value: `1${key}`, sensitive })),
    })
  const { user } = await paste('Name,IBAN,PIN\nRosa Klein,DE4711,99a')
  for (const name of ['IBAN', 'PIN']) {
    await user.click(await screen.findByRole('checkbox', { name: `${name} is sensitive`, checked: true }))
    await user.click(await button(`Make ${name} readable`))
  }
  await user.click(await button('Check 1 row'))
  expect(await screen.findByText('This import would make IBAN and PIN readable')).toBeVisible()
  expect(
    screen.getByText(
      /^IBAN and PIN are marked as sensitive for other users. Where this import adds them, everyone/,
    ),
  ).toBeVisible()
  await user.click(await button('Create 1 user'))
  expect(await screen.findByText('This import makes IBAN and PIN readable')).toBeVisible()
})

test('rows that cannot be imported are said with their cause, and the columns can be mended', async () => {
  const { user } = await paste('E-mail,born\na@example.org,2001-02-03\nb@example.org,31.31.1999')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Import born as' }), 'Property')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Type of born' }), 'DATE')
  expect(await screen.findByText('1 cell can’t be read')).toBeVisible()
  await user.click(await button('Check 2 rows'))
  const left = within(await screen.findByRole('region', { name: 'What’s left out' }))
  expect(left.getByText(/31\.31\.1999/)).toBeVisible()
  expect(
    await screen.findByText('“31.31.1999”: Not a date we can read. Use a form such as 1981-02-02.'),
  ).toBeVisible()
  expect(outcome('Left out')).toBe('1')
  const writes = edge.writes().length
  await user.click(screen.getByRole('link', { name: 'Back to columns' }))
  expect(await screen.findByText('1 cell can’t be read')).toBeVisible()
  // A look at the columns keeps the check.
  expect(edge.writes()).toHaveLength(writes)
  await user.click(screen.getByRole('radio', { name: 'Leave out the cell' }))
  await user.click(await button('Check 2 rows'))
  expect(await button('Create 2 users')).toBeVisible()
})

test('a file that is no table is refused in a sentence, and another one can be chosen', async () => {
  const { user } = open()
  const picture = new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 0, 0])], 'people.csv')
  await screen.findByRole('button', { name: 'Choose file' })
  await user.upload(document.querySelector('input[type="file"]') as HTMLInputElement, picture)
  expect(await screen.findByText(/no text|not a text|no table/i)).toBeVisible()
  expect(await button('Choose file')).toBeVisible()
  const { body } = await service.call('admin', 'GET', '/jobs')
  expect(body).toEqual([])
})

test('a file that this tab has is read another way', async () => {
  const { user } = await paste('Name;City, country\nAna;Bonn, Germany\nBo;Ulm, Germany')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Separator' }), 'Comma')
  expect(await screen.findByRole('combobox', { name: 'Import Name;City as' })).toBeVisible()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Separator' }), 'Semicolon')
  expect(await screen.findByRole('combobox', { name: 'Import City, country as' })).toBeVisible()
})

test('each way in which a column is read is shown', async () => {
  const { user } = await paste(
    'E-mail;Newsletter;Customer since;Amount\na@example.org;ja;3/1/2024;1.234\nb@example.org;nein;4/1/2024;2.345',
  )
  for (const [column, type] of [
    ['Newsletter', 'PREFERENCE'],
    ['Amount', 'NUMBER'],
  ] as const) {
    await user.selectOptions(screen.getByRole('combobox', { name: `Import ${column} as` }), 'Property')
    await user.selectOptions(screen.getByRole('combobox', { name: `Type of ${column}` }), type)
  }
  for (const label of ['Dates in Customer since', 'Consents in Newsletter', 'Numbers in Amount'])
    expect(await screen.findByRole('combobox', { name: label })).toBeVisible()
})

test('a sheet of a workbook is chosen', async () => {
  const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const relations = (all: readonly string[]) =>
    strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`,
    )
  const sheet = (...rows: string[][]) => {
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
    const body = rows.map((cells) => `<row>${cells.map(cell).join('')}</row>`).join('')
    return strToU8(`<worksheet xmlns="${spreadsheet}"><sheetData>${body}</sheetData></worksheet>`)
  }
  const workbook = zipSync({
    '_rels/.rels': relations([
      `<Relationship Id="r" Type="${office}/officeDocument" Target="xl/workbook.xml"/>`,
    ]),
    'xl/workbook.xml': strToU8(
      `<workbook xmlns="${spreadsheet}" xmlns:r="${office}"><sheets><sheet name="People" sheetId="1" r:id="a"/><sheet name="Cars" sheetId="2" r:id="b"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': relations([
      `<Relationship Id="a" Type="${office}/worksheet" Target="worksheets/a.xml"/>`,
      `<Relationship Id="b" Type="${office}/worksheet" Target="worksheets/b.xml"/>`,
    ]),
    'xl/worksheets/a.xml': sheet(['Name', 'E-mail'], ['Ana', 'ana@example.org']),
    'xl/worksheets/b.xml': sheet(['Owner', 'Plate'], ['Ana', 'B 1']),
  })
  const { user } = open()
  await screen.findByRole('button', { name: 'Choose file' })
  const file = new File([new Uint8Array(workbook)], 'people.xlsx')
  await user.upload(document.querySelector('input[type="file"]') as HTMLInputElement, file)
  expect(await screen.findByRole('combobox', { name: 'Import E-mail as' })).toHaveDisplayValue('E-mail')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Sheet' }), 'Cars')
  expect(await screen.findByRole('combobox', { name: 'Import Plate as' })).toBeVisible()
  expect(screen.getByRole('combobox', { name: 'Sheet' })).toHaveDisplayValue('Cars')
})

test('empty cells clear values only where values are overwritten', async () => {
  const { user } = await paste('Name,E-mail,City\nRosa Klein,rosa@example.org,')
  const clear = screen.getByRole('radio', { name: 'Clear the value' })
  expect(clear).toBeDisabled()
  expect(clear).toHaveAccessibleDescription('Only where values are overwritten')
  await user.click(screen.getByRole('radio', { name: 'Overwrite their values' }))
  await user.click(clear)
  expect(clear).toBeChecked()
  await user.click(screen.getByRole('radio', { name: 'Skip' }))
  expect(clear).toBeDisabled()
  expect(screen.getByRole('radio', { name: 'Leave the value as it is' })).toBeChecked()
})
