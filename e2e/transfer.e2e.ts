import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'

import type { Entity, User } from '#contract/index.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

const unique = () => crypto.randomUUID().slice(0, 8)

async function contentOf(download: Promise<Download>): Promise<string> {
  return readFile(await (await download).path(), 'utf8')
}

/** Downloads the file on the page of its export, by the keyboard. */
async function downloadFile(page: Page): Promise<Download> {
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).press('Enter')
  return saved
}

/** Returns the rows of a file in which no cell contains a quote or a separator. */
function plainRows(text: string): string[][] {
  return text
    .replace('\uFEFF', '')
    .trimEnd()
    .split('\r\n')
    .map((row) => row.slice(1, -1).split('","'))
}

async function segmentOf(service: { post: (path: string, body: object) => Promise<string> }, count: number) {
  const mark = unique()
  for (let index = 0; index < count; index += 1)
    await service.post('/users', {
      name: index === 0 ? '=1+1' : `Person ${index}`,
      email: `${index === 1 ? '+' : ''}p${index}.${mark}@example.org`,
      ref: `T-${mark}-${index}`,
    })
  const filter = { user: 'ref', op: 'starts_with', value: `T-${mark}` }
  return { mark, id: await service.post('/segments', { name: `Transfer ${mark}`, filter }) }
}

async function choose(page: Page, text: string): Promise<void> {
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
}

test('a segment is exported as CSV, by the keyboard, and no cell of it runs @smoke', async ({
  page,
  signIn,
  service,
}) => {
  const { mark, id } = await segmentOf(service, 3)
  await signIn('support', `users?segment=${id}`)
  await page.getByRole('link', { name: 'Export' }).press('Enter')
  await expect(page).toHaveURL(new RegExp(`/users/export\\?segment=${id}$`))
  await page.getByRole('button', { name: 'Export 3 users' }).press('Enter')
  await expect(page.getByText(/^Available until/)).toBeVisible()
  await expectAccessible(page)

  const download = downloadFile(page)
  expect((await download).suggestedFilename()).toMatch(
    new RegExp(`^Transfer-${mark}-\\d{4}-\\d\\d-\\d\\d\\.csv$`),
  )
  const rows = plainRows(await contentOf(download))
  expect(rows[0]).toEqual(['id', 'name', 'email', 'ref', 'since', 'created', 'account'])
  expect(rows.slice(1).map((cells) => cells.slice(1, 4))).toEqual([
    ["'=1+1", `p0.${mark}@example.org`, `T-${mark}-0`],
    ['Person 1', `'+p1.${mark}@example.org`, `T-${mark}-1`],
    ['Person 2', `p2.${mark}@example.org`, `T-${mark}-2`],
  ])
})

test('an export of a segment of red cars has the red ones, not the first car of each user', async ({
  page,
  signIn,
  service,
}) => {
  const mark = unique()
  const user = await service.post('/users', { name: `Two cars ${mark}` })
  for (const colour of [`blue ${mark}`, `red ${mark}`])
    await service.post(`/users/${user}/entities`, {
      type: 'car',
      properties: [{ key: 'colour', type: 'TEXT', value: colour }],
    })
  const where = [{ key: 'colour', type: 'TEXT', op: 'eq', value: `red ${mark}` }]
  const id = await service.post('/segments', { name: `Red ${mark}`, filter: { entity: 'car', where } })
  await signIn('support', `users/export?segment=${id}`)
  await page.getByRole('checkbox', { name: /Properties of an entity/ }).check()
  await expect(page.getByRole('radio', { name: /^One row per matching Car entity/ })).toBeChecked()
  await page.getByRole('checkbox', { name: 'Colour', exact: true }).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Export 1 user' }).click()
  const rows = plainRows(await contentOf(downloadFile(page)))
  expect(rows.map((cells) => cells.at(-1))).toEqual(['car.colour (matching)', `red ${mark}`])
})

test('whom conditions find that nobody saved are exported, by keyboard alone, with the entities they are about', async ({
  page,
  signIn,
  service,
}) => {
  const mark = unique()
  for (const [name, ...colours] of [
    ['Ana', `red ${mark}`, `blue ${mark}`],
    ['Bo', `green ${mark}`],
    ['Cy', `red ${mark}`],
  ] as const) {
    const user = await service.post('/users', { name: `${name} ${mark}` })
    for (const value of colours)
      await service.post(`/users/${user}/entities`, {
        type: 'car',
        properties: [{ key: 'colour', type: 'TEXT', value }],
      })
  }
  await signIn('steward', 'users')
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('link').first()).toBeVisible()
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await press('/', 'Tab', 'Enter')
  await expect(page.getByRole('combobox', { name: 'Property, consent, segment…' })).toBeFocused()
  await page.keyboard.type('car.colour')
  await press('Enter')
  await expect(page.getByRole('combobox', { name: 'Value' })).toBeFocused()
  await page.keyboard.type(`red ${mark}`)
  await press('Enter')
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('button', { name: 'Filter', exact: true })).toBeFocused()
  await press('Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Enter')
  await expect(page.getByRole('heading', { name: 'Export users' })).toBeFocused()
  expect(page.url()).not.toContain(mark)
  await press('Tab')
  await expect(page.getByRole('radio', { name: 'The filtered list' })).toBeFocused()
  await page.getByRole('checkbox', { name: /Properties of an entity/ }).press('Space')
  await expect(page.getByRole('combobox', { name: 'Entity type' })).toHaveValue('Car')
  await expect(page.getByRole('radio', { name: /^One row per matching Car entity/ })).toBeChecked()
  await expectAccessible(page)
  await page.getByRole('checkbox', { name: 'Colour', exact: true }).press('Space')
  await press('Enter')
  const rows = plainRows(await contentOf(downloadFile(page)))
  expect(rows.map((cells) => [cells[1], cells.at(-1)])).toEqual([
    ['name', 'car.colour (matching)'],
    [`Ana ${mark}`, `red ${mark}`],
    [`Cy ${mark}`, `red ${mark}`],
  ])
})

test('a workbook is exported, and imported again without a choice of columns', async ({
  page,
  signIn,
  service,
}) => {
  const { mark, id } = await segmentOf(service, 2)
  await signIn('steward', `users/export?segment=${id}`)
  await page.getByRole('radio', { name: /^Excel workbook/ }).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Export 2 users' }).click()
  await expect(page.getByText(/^Available until/)).toBeVisible()
  const download = await downloadFile(page)
  const name = download.suggestedFilename()
  expect(name).toMatch(new RegExp(`^Transfer-${mark}-\\d{4}-\\d\\d-\\d\\d\\.xlsx$`))
  const buffer = await readFile(await download.path())
  await page.goto('users/import')
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
  await expect(page.getByText('2 rows, 7 columns')).toBeVisible()
  await page.getByRole('button', { name: 'Check 2 rows' }).click()
  await expect(page.getByText('Nothing to import.')).toBeVisible()
})

test('JSON Lines with entities: sensitive values are withheld, and given with a reason', async ({
  page,
  signIn,
  service,
}) => {
  const { mark, id } = await segmentOf(service, 1)
  const list = await service.get<{ users: User[] }>(`/users?segment=${id}`)
  const userId = list.users[0]?.id ?? ''
  await service.post(`/users/${userId}/entities`, {
    type: 'person',
    properties: [{ key: 'iban', type: 'TEXT', value: `DE-${mark}`, sensitive: true }],
  })
  await signIn('steward', `users/export?segment=${id}`)
  await page.getByRole('radio', { name: /JSON Lines/ }).check()
  await page.getByRole('checkbox', { name: /Include all entities/ }).check()
  await page.getByRole('button', { name: 'Export 1 user' }).click()
  const withheld = downloadFile(page)
  const line = JSON.parse(await contentOf(withheld)) as User & { entities: Entity[] }
  expect(line).toMatchObject({ id: userId, name: '=1+1', entities: [{ properties: [{ key: 'iban' }] }] })
  expect(JSON.stringify(line)).not.toMatch(new RegExp(`DE-${mark}|invite`))

  await expect(page.getByText('1 left out')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Export users' }).click()
  await page.getByRole('radio', { name: /JSON Lines/ }).check()
  await page.getByRole('checkbox', { name: /Include all entities/ }).check()
  await page.getByRole('checkbox', { name: /Include sensitive values/ }).check()
  await page.getByRole('textbox', { name: /Reason/ }).fill('Audit')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Export 1 user' }).click()
  expect(await contentOf(downloadFile(page))).toContain(`DE-${mark}`)
})

test('an import is mapped, mended, done and undone, by keyboard alone', async ({ page, signIn, service }) => {
  const mark = unique()
  const ana = await service.post('/users', { name: 'Ana', email: `ana.${mark}@example.org` })
  await signIn('steward', 'users')
  await page.getByRole('link', { name: 'Import' }).press('Enter')
  const people = Array.from(
    { length: 12 },
    (_, index) => `Person ${index};p${index}.${mark}@example.org;;29.02.1984`,
  )
  await choose(
    page,
    [
      'Full name;E-mail;Ref;Geburtsdatum',
      `Ana Two;ANA.${mark}@example.org;;01.01.2000`,
      `Guarded;;'+${mark};`,
      'Bad;no-mail;;',
      ...people,
    ].join('\n'),
  )
  await expect(page.getByText('15 rows, 4 columns')).toBeVisible()
  const born = page.getByRole('listitem').filter({ hasText: 'Geburtsdatum' })
  await expect(born.getByText('01.01.2000 →')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Check 15 rows' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Create 13 users, update 1' })).toBeVisible()
  await expectAccessible(page)
  const rows = page.getByRole('table', { name: 'Rows of the file' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('Will change')
  await expect(rows.nth(1)).toContainText('by e-mail')
  await expect(rows.nth(3)).toContainText('Left out')
  await expect(page.getByRole('region', { name: 'What’s left out' })).toContainText('no-mail')

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the row that’s left out' }).press('Enter')
  const [header, row] = (await contentOf(download)).replace('\uFEFF', '').split('\r\n')
  expect(header).toBe('"Full name";"E-mail";"Ref";"Geburtsdatum";"error"')
  expect(row).toMatch(/^"Bad";"no-mail";"";"";"./)

  await page.getByRole('link', { name: 'Back to columns' }).press('Enter')
  await page.getByRole('combobox', { name: 'Import E-mail as' }).selectOption('E-mail')
  await page.getByRole('radio', { name: 'Leave out the cell' }).press('Space')
  await page.getByRole('radio', { name: 'Skip' }).press('Space')
  await page.getByRole('button', { name: 'Check 15 rows' }).press('Enter')
  await page.getByRole('button', { name: 'Create 14 users' }).press('Enter')
  await expect(page.getByRole('main').getByText('Finished', { exact: true })).toBeVisible()
  await expectAccessible(page)
  expect(await service.get(`/users/${ana}`)).toMatchObject({ name: 'Ana' })
  expect(await service.get(`/users/${ana}/entities`)).toEqual([])

  // Each person was imported exactly once, with the property.
  const filter = { user: 'email', op: 'ends_with', value: `.${mark}@example.org` }
  const segment = await service.post('/segments', { name: `Imported ${mark}`, filter })
  const read = async () => (await service.get<{ users: User[] }>(`/users?segment=${segment}`)).users
  const users = await read()
  expect(users.map(({ name }) => name).toSorted((a, b) => (a ?? '').localeCompare(b ?? ''))).toEqual(
    ['Ana', ...people.map((line) => line.split(';')[0] ?? '')].toSorted((a, b) => a.localeCompare(b)),
  )
  const last = users.find(({ name }) => name === 'Person 11')
  expect(await service.get(`/users/${last?.id}/entities`)).toMatchObject([
    { type: 'person', properties: [{ key: 'birthday', type: 'DATE', value: '1984-02-29' }] },
  ])

  await page.getByRole('button', { name: 'Undo import…' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Undo 14 rows' }).press('Enter')
  await expect(page.getByText('Undone', { exact: true })).toBeVisible()
  expect((await read()).map(({ name }) => name)).toEqual(['Ana'])
  expect(page.url()).not.toContain(mark)
})
