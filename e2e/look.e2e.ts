import type { Locator, Page } from '@playwright/test'

import { expect, expectAccessible, type Service, test } from './fixtures.ts'

async function prepare(service: Service) {
  const user = await service.post('/users', {
    name: 'Walburga Hohenstein-Baumgartner',
    email: `walburga.hohenstein-baumgartner${crypto.randomUUID().slice(0, 8)}@example.org`,
  })
  await service.post(`/users/${user}/entities`, {
    type: 'person',
    properties: [
      { key: 'first_name', type: 'TEXT', value: 'Walburga' },
      { key: 'iban', type: 'TEXT', value: 'CANARY-0190', sensitive: true },
      { key: 'loyal', type: 'BOOLEAN', value: true },
    ],
  })
  return user
}

const style = (of: Locator, name: string, pseudo?: string) =>
  of.evaluate((element, [property, part]) => getComputedStyle(element, part).getPropertyValue(property), [
    name,
    pseudo,
  ] as const)

const rowOf = (page: Page, label: string) =>
  page.getByRole('main').locator('dl > div').filter({ hasText: label }).first()

test('a sensitive row stays violet under the pointer, and the hint of a label covers no other label', async ({
  page,
  signIn,
  service,
}) => {
  await signIn('steward', `users/${await prepare(service)}`)
  const [plain, sensitive] = [rowOf(page, 'First name'), rowOf(page, 'IBAN')]
  await plain.hover()
  const grey = await style(plain, 'background-color')
  await sensitive.hover()
  expect(await style(sensitive, 'background-color')).not.toBe(grey)
  const violet = await sensitive.evaluate((row) => {
    const [red = 0, green = 0, blue = 0] =
      getComputedStyle(row).backgroundColor.match(/\d+/g)?.map(Number) ?? []
    return red > green + 8 && blue > green + 8
  })
  expect(violet).toBe(true)

  await page.getByText('First name', { exact: true }).hover()
  const hint = page.getByRole('tooltip')
  await expect(hint).toHaveText(/first_name/)
  const [told, next] = [await hint.boundingBox(), await page.getByText('IBAN', { exact: true }).boundingBox()]
  expect((told?.y ?? 0) + (told?.height ?? 0)).toBeLessThanOrEqual(next?.y ?? 0)
})

test('who may only read is offered details, and no pencil', async ({ page, signIn, service }) => {
  await signIn('support', `users/${await prepare(service)}`)
  await expect(page.getByRole('link', { name: 'Details person' })).toBeVisible()
  await expect(page.getByRole('main').locator('section .tabler-icon-pencil')).toHaveCount(0)
})

test('rows can be seen to be ordered and selected before the pointer comes', async ({ page, signIn }) => {
  await signIn('steward', 'users')
  const table = page.getByRole('table', { name: 'Users' })
  const box = table.getByRole('checkbox').first()
  await expect(box).toBeVisible()
  // A box that is there and transparent is visible to the browser.
  expect(
    await box.evaluate((element) => {
      let opacity = 1
      for (let at: Element | null = element; at; at = at.parentElement)
        opacity *= Number(getComputedStyle(at).opacity)
      return opacity
    }),
  ).toBe(1)
  const sort = table.getByRole('button', { name: 'Name' })
  expect(await style(sort, 'content', '::after')).toContain('↕')
  expect(await style(sort, 'visibility', '::after')).toBe('visible')
  const search = page.getByRole('searchbox', { name: 'Find users' })
  expect(await style(search, 'font-style', '::placeholder')).toBe('italic')
})

test('a tablet has the areas in sight and tables with heads; a phone has neither', async ({
  page,
  signIn,
}) => {
  await page.setViewportSize({ width: 768, height: 1024 })
  await signIn('steward', 'users')
  const areas = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  for (const area of await areas.all()) {
    await expect(area).toBeInViewport()
    expect(await area.evaluate((link) => link.scrollWidth <= link.clientWidth)).toBe(true)
  }
  await expect(page.getByRole('button', { name: 'Open navigation' })).toBeHidden()
  await expect(page.getByRole('columnheader', { name: 'E-mail' })).toBeInViewport()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('button', { name: 'Open navigation' })).toBeVisible()
  await expect(areas.first()).toBeHidden()
})
