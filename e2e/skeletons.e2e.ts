import type { Page } from '@playwright/test'

import { startReceiver, type TestReceiver } from '#server/testing/receiver.ts'
import { expectFits } from './fits.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { answers, hold } from './hold.ts'

let receiver: TestReceiver
test.beforeAll(async () => {
  receiver = await startReceiver()
})
test.afterAll(() => receiver.close())

/** Positions of the page's first table and its columns, and the height of the row with `text`, or of the first row. */
const places = (page: Page, text = '') =>
  page
    .locator('main table')
    .first()
    .evaluate((table, sought) => {
      const row = [...table.querySelectorAll('tbody tr')].find((each) => each.textContent.includes(sought))
      return [
        table.getBoundingClientRect().top,
        row?.getBoundingClientRect().height ?? 0,
        ...[...table.querySelectorAll('thead th')].map((head) => head.getBoundingClientRect().left),
      ]
    }, text)

test('a list appears where its skeleton was, column by column', async ({ page, signIn, service }) => {
  const name = `Known by name ${crypto.randomUUID().slice(0, 8)}`
  await service.post('/segments', {
    name,
    description: 'All of that name.',
    filter: { user: 'name', op: 'eq', value: name },
  })
  await service.post('/users', {
    name: 'Of a city',
    properties: [{ key: 'city', type: 'TEXT', value: 'Lyon' }],
  })
  const { id: subscription } = await service.ask<{ id: string }>('/subscriptions', {
    url: receiver.url,
    description: name,
    types: ['SEGMENT_CREATED'],
  })
  // The dictionary of a large store is counted in the background.
  await expect.poll(async () => JSON.stringify(await service.get('/dictionary'))).toContain('city')
  const lists = [
    ['segments', name],
    ['webhooks', name],
    ['dictionary', ''],
  ] as const
  try {
    await signIn('admin', 'users/new')
    for (const [path, text] of lists)
      await test.step(path, async () => {
        const slow = await hold(page, answers)
        await page.goto(path)
        const skeleton = page.getByRole('main').locator('[data-loading]')
        await expect(skeleton.first()).toBeVisible()
        const before = await places(page)
        slow.letGo()
        await expect(skeleton).toHaveCount(0)
        const measure = async () => {
          const after = await places(page, text)
          expect(after.length).toBe(before.length)
          return Math.max(...after.map((at, index) => Math.abs(at - (before[index] ?? 0))))
        }
        // The height of a line of text is not a whole number of pixels, so there is a tolerance.
        await expect.poll(measure).toBeLessThan(3)
      })
  } finally {
    await service.delete(`/subscriptions/${subscription}`)
  }
})

test('every page fits a phone and is accessible while it loads', async ({ page, signIn, service }) => {
  const user = await service.post('/users', { name: 'Loading' })
  const segment = await service.post('/segments', {
    name: `Loading ${user}`,
    filter: { user: 'ref', op: 'eq', value: user },
  })
  await signIn('admin', 'users/new')
  const paths = ['home', 'users', 'users/deleted', `users/${user}`, `users/${user}/activity`]
  const others = ['segments', `segments/${segment}`, 'events', 'webhooks', 'dictionary', 'jobs', 'audit']
  for (const path of [...paths, ...others])
    await test.step(path, async () => {
      const slow = await hold(page, answers)
      await page.goto(path)
      const skeleton = page.locator('main').locator('[data-loading], [aria-busy=true]').first()
      await expect(skeleton).toBeVisible()
      await expectAccessible(page)
      const whole = page.viewportSize() ?? { width: 1440, height: 900 }
      await page.setViewportSize({ width: 390, height: 844 })
      await expectFits(page)
      await expect(skeleton).toBeVisible()
      await page.setViewportSize(whole)
      slow.letGo()
      await page.unrouteAll({ behavior: 'wait' })
    })
})
