import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'

import type { Entity } from '#contract/index.ts'
import { fastestFolder } from '#server/testing/folder.ts'
import { expect, expectAccessible, type Service, test } from './fixtures.ts'
import { freePort, startOwnService } from './own-service.ts'

/** Time limit in milliseconds; higher than usual because some of these journeys look up thousands of users. */
const longMs = 180_000

/** Creates users with one car each, and a segment that contains them. */
async function makeFleet(service: Service, count: number) {
  const fleet = `Fleet ${crypto.randomUUID().slice(0, 8)}`
  const users: { id: string; car: string }[] = []
  for (let number = 1; number <= count; number++) {
    const id = await service.post('/users', { name: `${fleet} ${number}` })
    const properties = [
      { key: 'fleet', type: 'TEXT', value: fleet },
      { key: 'insurer', type: 'TEXT', value: 'Allrisk' },
    ]
    users.push({ id, car: await service.post(`/users/${id}/entities`, { type: 'car', properties }) })
  }
  const where = [{ key: 'fleet', type: 'TEXT', op: 'eq', value: fleet }]
  const segment = await service.post('/segments', { name: fleet, filter: { entity: 'car', where } })
  const insurers = async () => {
    const found = []
    for (const { id, car } of users) {
      const { properties } = await service.get<Entity>(`/users/${id}/entities/${car}`)
      found.push(properties.find(({ key }) => key === 'insurer')?.value)
    }
    return found
  }
  return { fleet, users, segment, insurers }
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const report = (page: Page) => page.getByRole('table', { name: 'Results by user' })
const heading = (page: Page, name: string) => page.getByRole('main').getByRole('heading', { level: 1, name })

test('a property is checked and set on forty users, but not over what somebody changed in between', async ({
  page,
  signIn,
  service,
}) => {
  test.setTimeout(longMs)
  const { fleet, users, segment, insurers } = await makeFleet(service, 40)
  await signIn('steward', `segments/${segment}`)
  const way = page.getByRole('menuitem', { name: 'Bulk change…' })
  await expect(heading(page, fleet)).toBeVisible()
  await button(page, 'More actions').click()
  await expect(page.getByRole('menuitem', { name: 'Duplicate…' })).toBeVisible()
  await way.click()
  await expect(page.getByText(`All users in “${fleet}”`)).toBeVisible()
  await page.getByRole('combobox', { name: 'Entity type' }).fill('car')
  await page.getByRole('combobox', { name: 'Property' }).fill('insu')
  await page.getByRole('option', { name: /^insurer/i }).click()
  await page.getByRole('textbox', { name: 'Value' }).fill('Newrisk')
  await page.getByRole('textbox', { name: /^Reason/ }).fill('Insured elsewhere')
  await expectAccessible(page)
  await button(page, 'Preview change').click()

  await expect(heading(page, 'Insurer (car)')).toBeVisible()
  await expect(button(page, 'Change 40 users')).toBeVisible()
  await expect(report(page)).toContainText('Allrisk → Newrisk')
  await expect(page.getByText('Insured elsewhere')).toBeVisible()
  expect(new Set(await insurers())).toEqual(new Set(['Allrisk']))
  await expectAccessible(page)

  const [first] = users
  const properties = [{ key: 'insurer', value: 'Otherrisk' }]
  await service.patch(`/users/${first?.id ?? ''}/entities/${first?.car ?? ''}`, { properties })
  await button(page, 'Change 40 users').click()
  await expect(page.getByRole('main').getByText('Finished')).toBeVisible()
  await expect(report(page)).toContainText('Someone changed the value after the preview')
  expect(await insurers()).toEqual(['Otherrisk', ...Array.from({ length: 39 }, () => 'Newrisk')])
  await expectAccessible(page)
  const saved = page.waitForEvent('download')
  await button(page, 'Download results').click()
  expect((await saved).suggestedFilename()).toMatch(/^report-car-.*\.csv$/)

  // The log has one row for the job, which opens to each change.
  const finished = page.getByRole('link', { name: 'Job finished' }).first()
  await page.goto('events')
  await finished.click()
  const changed = page.getByRole('region', { name: 'What changed' })
  await expect(changed.getByText('39 users changed')).toBeVisible()
  await expectAccessible(page)
  await changed.getByRole('link', { name: 'Show each change in the event log' }).click()
  await expect(page.getByText('Newest 40 matching events')).toBeVisible()
  await page.goBack()
  await changed.getByRole('link', { name: 'Bulk change' }).click()

  // The report leads to the pages of its users.
  await page.getByRole('link', { name: `${fleet} 2`, exact: true }).click()
  await expect(heading(page, `${fleet} 2`)).toBeVisible()
})

test('a batch is changed without a mouse, and found again later @smoke', async ({
  page,
  signIn,
  service,
}) => {
  test.setTimeout(longMs)
  const { fleet, segment, insurers } = await makeFleet(service, 3)
  await signIn('steward', `segments/${segment}`)
  await button(page, 'More actions').press('Enter')
  await page.getByRole('menuitem', { name: 'Bulk change…' }).press('Enter')
  await expect(heading(page, 'Bulk change')).toBeFocused()
  await expect(page.getByText(`All users in “${fleet}”`)).toBeVisible()
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await press('Tab')
  await expect(page.getByRole('combobox', { name: 'Entity type' })).toBeFocused()
  await page.keyboard.type('car')
  await press('Tab')
  await page.keyboard.type('insur')
  await expect(page.getByRole('option', { name: /^insurer/i })).toBeVisible()
  // Takes the property, and goes on to the value: the type was filled in with the property.
  await press('Enter')
  await expect(page.getByRole('textbox', { name: 'Value' })).toBeFocused()
  await page.keyboard.type('Keyrisk')
  await button(page, 'Preview change').focus()
  await press('Enter')
  await expect(button(page, 'Change 3 users')).toBeVisible()
  await button(page, 'Change 3 users').focus()
  await press('Enter')
  await expect(page.getByRole('main').getByText('Finished')).toBeVisible()
  expect(await insurers()).toEqual(['Keyrisk', 'Keyrisk', 'Keyrisk'])

  const address = new URL(page.url()).pathname
  await page.goto('jobs')
  const earlier = page.getByRole('table', { name: 'Jobs' }).getByRole('link', { name: 'Insurer (car)' })
  await expect(earlier.first()).toHaveAttribute('href', address)
})

/** Opens the batch page for these users as the list does: the history state alone carries the selection. */
async function openFor(page: Page, ids: readonly string[], url = '') {
  await page.goto(`${url}users/batch`)
  await expect(page.getByText('No users selected')).toBeVisible()
  await page.evaluate((usr) => history.replaceState({ usr, key: 'chosen', idx: 0 }, ''), { ids })
  await page.reload()
  await expect(page.getByText('users selected')).toBeVisible()
}

async function check(page: Page, value: string) {
  await page.getByRole('combobox', { name: 'Entity type' }).fill('car')
  await page.getByRole('combobox', { name: 'Property' }).fill('insurer')
  await page.getByRole('textbox', { name: 'Value' }).fill(value)
  await button(page, 'Preview change').click()
  await expect(heading(page, 'Insurer (car)')).toBeVisible()
}

/** Ids of users that do not exist. Looking them up keeps the job running long enough to stop it. */
const strangers = (count: number) => Array.from({ length: count }, () => crypto.randomUUID())

test('a batch is stopped, and continues with the users it has not checked yet', async ({
  page,
  signIn,
  service,
}) => {
  test.setTimeout(longMs)
  const { users, insurers } = await makeFleet(service, 2)
  await signIn('steward', 'users/batch')
  await openFor(page, [...strangers(8000), ...users.map(({ id }) => id)])
  // Jobs take turns: beside others, this one runs until somebody has pressed Stop.
  for (let others = 0; others < 4; others++)
    await service.post('/users/batch', {
      ids: strangers(8000),
      set: { entity: 'car', key: 'insurer', type: 'TEXT', value: 'Otherrisk' },
      dryRun: true,
    })
  await check(page, 'Stoprisk')
  await button(page, 'Stop').click()
  await expect(page.getByRole('main').getByText('Preview stopped')).toBeVisible()
  await expect(button(page, 'Continue')).toBeFocused()
  await button(page, 'Continue').click()
  await expect(button(page, 'Change 2 users')).toBeVisible({ timeout: 120_000 })
  await button(page, 'Change 2 users').click()
  await expect(page.getByRole('main').getByText('Finished')).toBeVisible()
  expect(await insurers()).toEqual(['Stoprisk', 'Stoprisk'])
})

test('a batch continues where it was after the service restarts', async ({ page, signIn }) => {
  test.setTimeout(longMs)
  const folder = mkdtempSync(path.join(fastestFolder(), 'data-store-e2e-batch-'))
  const settings = { DATA_DIR: folder, PORT: String(await freePort()) }
  let own = await startOwnService(settings)
  try {
    await signIn('steward', `${own.url}users/batch`)
    await openFor(page, strangers(8000), own.url)
    await check(page, 'Twicerisk')
    const address = page.url()
    await own.close()
    own = await startOwnService(settings)
    await page.goto(address)
    await expect(page.getByRole('main').getByText('Preview ready, nothing changed yet')).toBeVisible({
      timeout: 120_000,
    })
    await expect(page.getByText('No such user').first()).toBeVisible()
    await expect(page.getByText('8,000', { exact: true })).toBeVisible()
    await expect(page.getByText('Nothing to change.')).toBeVisible()
  } finally {
    await own.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
