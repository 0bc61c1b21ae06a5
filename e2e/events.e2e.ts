import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'

import type { Event } from '#contract/index.ts'
import { expect, expectAccessible, test } from './fixtures.ts'

// A script cannot answer the browser's save dialog; without the picker the browser downloads the file at once.
test.beforeEach(({ page }) => page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker')))

const table = (page: Page) => page.getByRole('table', { name: 'Events' })
/** Finds a row by its position in the list: 1 is the newest event. */
const row = (page: Page, index: number) => table(page).locator(`tr[aria-rowindex="${index + 1}"]`)
/** Returns the distance of a row from the top of the window. */
const place = async (element: Locator) => Math.round((await element.boundingBox())?.y ?? Number.NaN)

test('events are read newest first, with older ones below, a detail and links to what they are about @smoke', async ({
  page,
  signIn,
  service,
}) => {
  const user = await service.post('/users', { name: 'Eventful' })
  await signIn('admin', 'events')
  await expect(row(page, 1)).toContainText('User created')
  await expect(page.getByText(/^Newest 100 events/)).toBeVisible()
  await expectAccessible(page)

  await row(page, 1).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/events\/[\da-f-]{36}/)
  const detail = page.getByRole('dialog')
  await expect(detail).toContainText(user)
  await expect(detail).toContainText('No webhook')
  await expectAccessible(page)
  const deepLink = page.url()

  // The arrow keys move through the rows; the open event follows, and Escape returns to its row.
  await row(page, 1).getByRole('link').first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(row(page, 3).getByRole('link').first()).toBeFocused()
  await expect(row(page, 3)).toHaveAttribute('data-selected')
  await expect(page).not.toHaveURL(deepLink)
  await page.keyboard.press('Escape')
  await expect(detail).toBeHidden()

  await page.keyboard.press('End')
  await expect(page.getByText(/^Newest (?!100 )\d{3} (?:of [\d,]+ )?events/)).toBeVisible()
  await page.goto(deepLink)
  await expect(detail).toContainText(user)
})

test('new events are announced, move no row that is being read, and are shown on request', async ({
  page,
  signIn,
  service,
}) => {
  await signIn('integrator', 'events')
  await expect(row(page, 20)).toBeVisible()
  await expect(page.getByRole('main').getByText('Live', { exact: true })).toBeVisible()
  const newest = (await row(page, 1).getAttribute('data-id')) ?? ''
  await table(page).hover()
  await page.mouse.wheel(0, 1500)
  const far = row(page, 45)
  await expect(far).toBeInViewport()
  const before = await place(far)
  await service.post('/users', { name: 'Meanwhile' })
  await service.post('/users', { name: 'Meanwhile' })
  const offer = page.getByRole('button', { name: '2 new events · Show' })
  await expect(offer).toBeVisible()
  expect(await place(far)).toBe(before)
  await expectAccessible(page)

  await offer.press('Enter')
  await expect(offer).toBeHidden()
  await expect(row(page, 3)).toHaveAttribute('data-id', newest)
  await expect(row(page, 1)).toBeInViewport()
  await page.keyboard.press('Tab')
  await expect(row(page, 1).getByRole('link').first()).toBeFocused()
})

test('Back finds the place in the log that was left', async ({ page, signIn, service }) => {
  await signIn('admin', 'events')
  await expect(row(page, 20)).toBeVisible()
  await table(page).hover()
  await page.mouse.wheel(0, 3000)
  await expect(page.getByText(/^Newest 200 events/)).toBeVisible()
  await page.mouse.wheel(0, 2000)
  const far = row(page, 142)
  await expect(far).toBeInViewport()
  const id = await far.getAttribute('data-id')
  const before = await place(far)
  await far.getByRole('link').first().click()
  const detail = page.getByRole('dialog')
  await detail.getByRole('button', { name: 'Close' }).click()
  await expect(detail).toBeHidden()
  await page.getByRole('navigation').getByRole('link', { name: 'Users', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await service.post('/users', { name: 'Meanwhile' })
  await page.goBack()
  await expect(far).toHaveAttribute('data-id', id ?? '')
  await expect(far).toBeInViewport()
  expect(await place(far)).toBe(before)
  await expect(page.getByRole('button', { name: '1 new event · Show' })).toBeVisible()
})

test('Back finds the place in the log on a narrow screen too, where rows are higher', async ({
  page,
  signIn,
}) => {
  await signIn('admin', 'events')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(row(page, 5)).toBeVisible()
  await table(page).hover()
  await page.mouse.wheel(0, 3000)
  const far = row(page, 55)
  await expect(far).toBeInViewport()
  const before = await place(far)
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await page.goBack()
  await expect(far).toBeInViewport()
  // Half rows are rounded to pixels.
  expect(Math.abs((await place(far)) - before)).toBeLessThanOrEqual(2)
})

test('a jump begins the list at a moment, its address begins it there elsewhere too, and newer ones follow', async ({
  page,
  signIn,
  service,
  browser,
}) => {
  const first = await service.get<Event[]>('/events?offset=1200')
  const moment = first[50]?.eventtime ?? ''
  await signIn('admin', 'events')
  await page.getByRole('button', { name: 'Jump to a time' }).click()
  await page.getByRole('textbox', { name: 'Date and time (UTC)' }).fill(moment.slice(0, 19))
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Jump', exact: true }).click()
  await expect(page).toHaveURL(/at=/)
  const newer = page.getByRole('button', { name: 'Show newer events' })
  await expect(newer).toBeVisible()
  const time = async (of: Locator) =>
    Date.parse((await of.locator('time').first().getAttribute('datetime')) ?? '')
  const atMs = Date.parse(`${moment.slice(0, 19)}Z`)
  const start = (await row(page, 1).getAttribute('data-id')) ?? ''
  expect(await time(row(page, 1))).toBeLessThan(atMs)
  await expectAccessible(page)

  const elsewhere = await browser.newContext({ storageState: await page.context().storageState() })
  const other = await elsewhere.newPage()
  await other.goto(page.url())
  await expect(row(other, 1)).toHaveAttribute('data-id', start)
  await elsewhere.close()

  const before = await place(row(page, 1))
  await newer.click()
  const started = table(page).locator(`[data-id="${start}"]`)
  await expect(started).toHaveAttribute('aria-rowindex', '102')
  expect(await place(started)).toBe(before)
  expect(await time(row(page, 100))).toBeGreaterThanOrEqual(atMs)
  await page.getByRole('button', { name: 'Newest events' }).click()
  await expect(page.getByRole('main').getByText('Live', { exact: true })).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
})

test('filters find events, and what is filtered becomes a file', async ({ page, signIn, service }) => {
  const name = `Filtered ${crypto.randomUUID()}`
  const user = await service.post('/users', { name: 'Filtered' })
  await service.patch(`/users/${user}`, { name })
  await signIn('admin', 'events')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const types = page.getByRole('group', { name: 'Type' })
  const names = await types.locator('label').allTextContents()
  expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other)))
  for (const type of await types.getByRole('checkbox').all()) await expect(type).toBeInViewport()
  await page.getByRole('checkbox', { name: 'User created' }).check()
  await page.getByRole('checkbox', { name: 'User changed' }).check()
  const field = page.getByRole('combobox', { name: 'User' })
  await field.fill(name)
  await expect(page.getByRole('option', { name })).toBeVisible()
  await expectAccessible(page)
  await field.press('Enter')
  await expect(field).toHaveValue(user)
  await page.getByRole('button', { name: 'Show events' }).click()
  await expect(row(page, 1)).toContainText('User changed')
  await expect(row(page, 2)).toContainText('User created')
  await expect(page.getByText(/^Newest 2 matching events/)).toBeVisible()

  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export events' })
  await dialog.getByRole('radio', { name: 'JSON Lines' }).check()
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export' }).click()
  await expect(dialog).toContainText(/2 events in events-.*\.jsonl\./)
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n')
  expect(lines.map((line) => (JSON.parse(line) as Event).type)).toEqual(['USER_UPDATED', 'USER_CREATED'])
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await page.getByRole('button', { name: 'Remove filter: Type: User created' }).click()
  await expect(row(page, 1)).toContainText('User changed')
  await expect(row(page, 2)).toBeHidden()
  await expect(page.getByRole('list', { name: 'Filters' })).toContainText(name)
  expect(decodeURIComponent(page.url())).not.toContain('Filtered')
  await row(page, 1)
    .getByRole('link', { name: /^Only events by/ })
    .click()
  await expect(page.getByRole('list', { name: 'Filters' })).toContainText('By: ')
  await expect(row(page, 1)).toContainText('User changed')
  await page.goto(`${page.url()}&delivered=true`)
  await expect(page.getByText('No events match')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(row(page, 20)).toBeVisible()
})

test('rows say whom they are about and what was changed, to those who may know', async ({
  page,
  signIn,
  service,
}) => {
  const user = await service.post('/users', { name: 'نورا Told' })
  const properties = [
    { key: 'plate', type: 'TEXT', value: 'B 1', sensitive: true },
    { key: 'brand', type: 'TEXT', value: 'Volvo' },
  ]
  const entity = await service.post(`/users/${user}/entities`, { type: 'car', properties })
  await signIn('support', 'events')
  const newest = table(page).locator('tr[data-id]', { hasText: 'new car' }).first()
  await expect(newest).toContainText('نورا Told · new car: Plate')
  const height = (await newest.boundingBox())?.height
  expect(height).toBe((await row(page, 15).boundingBox())?.height)
  await newest.getByRole('link', { name: 'new car' }).hover()
  await expect(page.getByRole('tooltip')).toContainText(entity)
  await newest.getByRole('link', { name: 'نورا Told' }).click()
  await expect(page).toHaveURL(new RegExp(`/users/${user}`))
})

test('a colleague who may not read users sees kinds and ids, and is told so', async ({
  page,
  signIn,
  service,
}) => {
  await service.post('/users', { name: 'Nobody tells' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await signIn('integrator', 'events')
  await expect(row(page, 1)).toContainText(/User [\da-f]{8}…[\da-f]{4}/)
  await expect(
    page.getByText('Your role can’t see users, so this list shows ids instead of names and changes.'),
  ).toBeVisible()
  expect(asked.filter((url) => url.endsWith('/lookup'))).toEqual([])
})

test('an open event scrolls by itself, and the page stays as high as the window', async ({
  page,
  signIn,
  service,
}) => {
  const user = await service.post('/users', { name: 'Long' })
  const properties = Array.from({ length: 80 }, (_, n) => ({ key: `key ${n}`, type: 'NUMBER', value: n }))
  await service.post(`/users/${user}/entities`, { type: 'car', properties })
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    if (width === 1440) await signIn('admin', 'events')
    await table(page).getByRole('link', { name: 'Data changed' }).first().click()
    const detail = page.getByRole('dialog', { name: 'Data changed' })
    await expect(detail.getByText('key 79').first()).toBeAttached()
    const { pageHeight, inside, box } = await detail.evaluate((element) => ({
      pageHeight: document.documentElement.scrollHeight,
      inside: element.scrollHeight,
      box: element.clientHeight,
    }))
    expect(pageHeight).toBe(900)
    expect(inside).toBeGreaterThan(box)
    await detail.getByRole('button', { name: 'Close' }).click()
    await expect(detail).toBeHidden()
  }
})

test('a filter is kept under a name, and where its span begins the list leads beyond it', async ({
  page,
  signIn,
  service,
}) => {
  const user = await service.post('/users', { name: 'Kept' })
  await signIn('support', `events?user=${user}&from=2020-01-01T00%3A00%3A00.000Z`)
  await expect(row(page, 1)).toContainText('User created')
  const address = page.url()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByLabel('Save view as').fill('New ones')
  await page.getByRole('button', { name: 'Save view' }).click()
  await expectAccessible(page)
  await page.goto(new URL('events', address).href)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('button', { name: 'New ones', exact: true }).click()
  await expect(page).toHaveURL(address)
  await expect(page.getByText('Start of the filtered period:')).toBeVisible()
  await page.getByRole('button', { name: 'Show events before it' }).click()
  await expect(page.getByText('No older events match.')).toBeVisible()
  expect(new URL(page.url()).search).toBe(`?user=${user}`)
})
