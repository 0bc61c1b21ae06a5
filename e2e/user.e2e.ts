import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'

import { expect, expectAccessible, type Service, test } from './fixtures.ts'

const unique = () => crypto.randomUUID().slice(0, 8)

const person = {
  type: 'person',
  properties: [
    { key: 'city', type: 'TEXT', value: 'Lyon' },
    { key: 'iban', type: 'TEXT', sensitive: true, value: 'CANARY-0189' },
  ],
}

async function prepare(service: Service) {
  const ref = unique()
  const id = await service.post('/users', { name: 'Ana Lopez', email: `${ref}@example.org`, ref })
  const entity = await service.post(`/users/${id}/entities`, person)
  return { id, ref, entity }
}

const tabs = (page: Page) => page.getByRole('navigation', { name: 'About this user' })
const openTab = (page: Page, name: string) => tabs(page).getByRole('link', { name })
const html = (page: Page) => page.evaluate(() => document.documentElement.outerHTML)

test('tabs: each can be linked, read again and gone back to, by keyboard too', async ({
  page,
  signIn,
  service,
}) => {
  const { id } = await prepare(service)
  await service.post('/segments', { name: `Everybody ${id}`, filter: { all: [] } })
  await signIn('steward', `users/${id}/record`)
  await expect(openTab(page, 'Record')).toHaveAttribute('aria-current', 'page')
  await expect(page.getByText('"city"')).toBeVisible()

  await openTab(page, 'Entities').click()
  await expect(page.getByText('Lyon', { exact: true })).toBeVisible()
  // The first entity starts within the first screen.
  expect((await page.getByRole('heading', { name: 'Person' }).boundingBox())?.y).toBeLessThan(400)
  await openTab(page, 'Activity').focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/users/${id}/activity$`))
  await expect(page.getByText('User created')).toBeVisible()
  await expect(openTab(page, 'Activity')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  // Waits for the tab, because the header of the page has a link to the segment on every tab.
  await expect(openTab(page, 'Segments')).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('link', { name: `Everybody ${id}` })).toBeVisible()

  await page.reload()
  await expect(openTab(page, 'Segments')).toHaveAttribute('aria-current', 'page')
  await page.goBack()
  await expect(page.getByText('User created')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('Lyon', { exact: true })).toBeVisible()
  await page.goForward()
  await expect(page.getByText('User created')).toBeVisible()
})

test('a timeline beside the record is repeated by no tab, and all activity is one press away', async ({
  page,
  signIn,
  service,
}) => {
  const { id } = await prepare(service)
  await page.setViewportSize({ width: 1280, height: 900 })
  await signIn('steward', `users/${id}`)
  const column = page.getByRole('complementary', { name: 'Timeline' })
  await expect(openTab(page, 'Activity')).toBeVisible()
  await expect(column).toBeHidden()
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(column.getByText('User created')).toBeVisible()
  await expect(openTab(page, 'Activity')).toBeHidden()

  await column.getByRole('link', { name: 'All activity' }).press('Enter')
  await expect(page).toHaveURL(new RegExp(`/users/${id}/activity$`))
  await expect(openTab(page, 'Activity')).toHaveAttribute('aria-current', 'page')
  await expect(column).toHaveCount(0)
  await expect(page.getByRole('main').getByText('User created')).toBeVisible()
  for (const width of [2560, 1440, 1280, 768, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(openTab(page, 'Activity')).toBeVisible()
  }
})

test('a Back right after opening a user leads to the list', async ({ page, signIn, service }) => {
  const { id } = await prepare(service)
  await signIn('steward', 'users')
  const link = page.getByRole('table', { name: 'Users' }).getByRole('link').first()
  await expect(link).toBeVisible()
  await link.click()
  await page.waitForURL(/\/users\/[\da-f-]{36}$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/users$/)
  await expect(link).toBeVisible()
  expect(id).not.toBe('')
})

test('two people change the same field: nothing is overwritten unseen @smoke', async ({
  page,
  signIn,
  service,
}) => {
  const { id, ref } = await prepare(service)
  await signIn('support', `users/${id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Ana Mine')
  await service.patch(`/users/${id}`, { name: 'Ana Theirs', ref: `${ref}-2` })
  await page.getByRole('button', { name: /^Save/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Ana Lopez has changed since you opened it' })
  await expect(dialog).toContainText('Before: Ana Lopez')
  await expect(dialog).toContainText('Changed only by them, and kept: ref')
  await expect(dialog).toContainText('script-admin')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Back to editing' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Ana Mine')
  await page.getByRole('button', { name: /^Save/ }).click()
  await dialog.getByRole('radio', { name: /Yours/ }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Ana Mine')
  expect(await service.get(`/users/${id}`)).toMatchObject({ name: 'Ana Mine', ref: `${ref}-2` })
})

test('the activity tells what happened, and what changed', async ({ page, signIn, service }) => {
  const { id, entity } = await prepare(service)
  await service.patch(`/users/${id}`, { name: 'Ana Diaz' })
  await service.patch(`/users/${id}/entities/${entity}`, {
    type: 'person',
    properties: [{ key: 'iban', type: 'TEXT', sensitive: true, value: 'CANARY-0200' }],
  })
  await signIn('steward', `users/${id}/activity`)
  const rows = page.getByRole('list', { name: 'Activity, newest first' }).locator(':scope > li')
  await expect(rows).toHaveCount(4)
  const latest = rows.filter({ hasText: 'Changed IBAN' }).first()
  await expect(latest).toContainText('Changed IBAN')
  await expect(latest).toContainText('by script-admin')
  await rows.nth(1).getByRole('button').click()
  await expect(rows.nth(1).getByRole('row', { name: /^Name/ })).toContainText('Ana LopezAna Diaz')
  await latest.getByRole('button').click()
  await expect(latest).toContainText('Sensitive value changed')
  await expectAccessible(page)
  expect(await html(page)).not.toContain('CANARY')
  await latest.getByRole('link', { name: /^Event/ }).click()
  await expect(page.getByRole('dialog')).toContainText(id)
  await page.goBack()
  await latest.getByRole('button').click()
  await latest.getByRole('link', { name: 'Open entity' }).click()
  await expect(page.getByRole('textbox', { name: 'Value of City' })).toHaveValue('Lyon')
})

test('the segments of a user are shown', async ({ page, signIn, service }) => {
  const { id, ref } = await prepare(service)
  const [inside, outside] = [`In ${ref}`, `Out ${ref}`]
  await service.post('/segments', { name: inside, filter: { user: 'ref', op: 'eq', value: ref } })
  await service.post('/segments', { name: outside, filter: { user: 'ref', op: 'eq', value: 'nobody' } })
  await signIn('steward', `users/${id}/segments`)
  await expect(page.getByRole('list', { name: 'Segments: In' })).toContainText(inside)
  await expect(page.getByRole('list', { name: 'Segments: Not in' })).toContainText(outside)
  // A link in the header of the page leads to the segment as well.
  await page.getByRole('link', { name: inside }).last().click()
  await expect(page.getByRole('heading', { level: 1, name: inside })).toBeVisible()
})

async function download(page: Page, button: string) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

test('subject access: a file and a sheet, with sensitive values for a reason only', async ({
  page,
  signIn,
  service,
}) => {
  const { id, ref } = await prepare(service)
  await service.patch(`/users/${id}`, { name: 'Ana Diaz' })
  await signIn('steward', `users/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Subject access…' }).click()
  await page.getByRole('button', { name: 'Prepare report' }).click()
  const sheet = page.getByRole('article')
  await expect(sheet.getByRole('heading', { name: 'Subject access: Ana Diaz' })).toBeVisible()
  const without = await download(page, 'Download JSON')
  expect(without.name).toMatch(new RegExp(`^subject-access-${id.slice(0, 8)}-\\d{4}-\\d{2}-\\d{2}\\.json$`))
  expect(without.text).not.toMatch(/CANARY|invite_url/)
  expect(await html(page)).not.toContain('CANARY')
  expect(JSON.parse(without.text)).toMatchObject({
    version: 1,
    sensitive: 'withheld',
    user: { id, name: 'Ana Diaz', ref },
    entities: [
      {
        properties: [
          { key: 'city', value: 'Lyon' },
          { key: 'iban', masked: true },
        ],
      },
    ],
    changesets: [{}, {}, { changes: [{ before: 'Ana Lopez', after: 'Ana Diaz' }] }],
  })

  const { events } = JSON.parse(without.text) as { events: { type: string }[] }
  expect(events.map(({ type }) => type)).toEqual(['USER_CREATED', 'DIRECT_DATA_CHANGE', 'USER_UPDATED'])

  await page.getByRole('button', { name: 'Start over' }).click()
  await page.getByRole('checkbox', { name: 'Include sensitive values' }).check()
  await page.getByRole('button', { name: 'Prepare report' }).click()
  await expect(page.getByText('Enter a reason.')).toBeVisible()
  await page.getByLabel('Reason').fill(`Request ${ref}`)
  await page.getByRole('button', { name: 'Prepare report' }).click()
  await expect(sheet).toContainText('CANARY-0189')
  await expect(sheet).toContainText(`Request ${ref} (recorded in the audit log)`)
  const withValues = await download(page, 'Download JSON')
  expect(JSON.parse(withValues.text)).toMatchObject({
    sensitive: 'included',
    reason: `Request ${ref}`,
    reasonRecorded: true,
    entities: [{ properties: [{ key: 'city' }, { key: 'iban', value: 'CANARY-0189' }] }],
  })
  await expectAccessible(page)

  // Print shows only the document, black on white, regardless of the screen's colour scheme.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Print…' })).toBeHidden()
  await expect(sheet).toBeVisible()
  const colours = await sheet.evaluate((element) =>
    [element, ...element.querySelectorAll('th, td, p, span')].map((each) => getComputedStyle(each).color),
  )
  expect([...new Set(colours)]).toEqual(['rgb(0, 0, 0)'])
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
    'rgb(255, 255, 255)',
  )
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  const printed = (await page.pdf({ format: 'A6' })).toString('latin1')
  expect(printed.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(2)
  const margins = await page.evaluate(() =>
    [...document.styleSheets].flatMap((sheet) =>
      [...sheet.cssRules].flatMap((rule) => (rule instanceof CSSPageRule ? rule.cssText : [])),
    ),
  )
  expect(margins.join()).toContain('counter(page) " / " counter(pages)')

  const storage = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state]))
  expect(storage).not.toMatch(/CANARY|Ana (Lopez|Diaz)/)
  await page.goto(`users/${id}/activity`)
  await expect(page.getByText('Viewed IBAN').first()).toBeVisible()
  await expect(page.getByText(`Reason: Request ${ref}`)).toBeVisible()
})

test('a copy is offered before a user is deleted', async ({ page, signIn, service }) => {
  const { id, ref } = await prepare(service)
  await signIn('steward', `users/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete user…' }).click()
  const final = page.getByText(/^Sensitive data becomes unrecoverable by .* UTC\. Backups made before then/)
  await expect(final).toBeVisible()
  const copy = await download(page, 'Save a copy first')
  expect(JSON.parse(copy.text)).toMatchObject({ user: { id }, sensitive: 'withheld' })
  expect(copy.text).not.toContain('CANARY')
  await expect(page.getByText(`Saved to your downloads: ${copy.name}`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('textbox', { name: /^Type/ }).fill(`${ref}@example.org`)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete user' }).click()
  await expect(page.getByText('Ana Lopez deleted')).toBeVisible()
})

test('a name of any script has the face of the console, of which the other scripts are left where they are', async ({
  page,
  signIn,
  service,
}) => {
  const id = await service.post('/users', { name: 'Ana' })
  const faces: string[] = []
  page.on('request', (request) => faces.push(/inter-([a-z-]+)-wght/.exec(request.url())?.[1] ?? ''))
  await signIn('support', `users/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
  await expect.poll(() => faces).toContain('latin')
  expect(new Set(faces)).toEqual(new Set(['', 'latin']))
  for (const [name, face] of [
    ['Łukasz Żak', 'latin-ext'],
    ['Ирина', 'cyrillic'],
    ['Ωμέγα', 'greek'],
  ] as const) {
    await service.patch(`/users/${id}`, { name })
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect.poll(() => faces).toContain(face)
  }
})
