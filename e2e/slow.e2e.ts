import type { Page } from '@playwright/test'

import { expect, type Service, test } from './fixtures.ts'
import { answers, hold } from './hold.ts'

async function makeUser(service: Service) {
  const name = `Patience ${crypto.randomUUID().slice(0, 8)}`
  const email = `${crypto.randomUUID().slice(0, 8)}@example.org`
  const id = await service.post('/users', { name, email, ref: name })
  await service.post(`/users/${id}/entities`, {
    type: 'person',
    properties: [{ key: 'city', type: 'TEXT', value: 'Lyon' }],
  })
  const segment = await service.post('/segments', { name, filter: { user: 'name', op: 'eq', value: name } })
  return { id, name, email, list: `users?segment=${segment}` }
}

/** How far what is on screen has been moved by something else than a press, since the last call. */
async function shifts(page: Page): Promise<number> {
  return page.evaluate(() => {
    const kept = globalThis as unknown as { shifted?: number }
    const sum = kept.shifted ?? 0
    kept.shifted = 0
    if (sum > 0 || 'watches' in kept) return sum
    Object.assign(kept, { watches: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        kept.shifted = (kept.shifted ?? 0) + entry.value
    }).observe({ type: 'layout-shift' })
    return 0
  })
}

for (const key of ['a click', 'Enter'] as const)
  test(`while the service is slow ${key} marks the row, and what the list told stands where it will stay`, async ({
    page,
    signIn,
    service,
  }) => {
    const { id, name, email, list } = await makeUser(service)
    await signIn('steward', list)
    const row = page.getByRole('table', { name: 'Users' }).getByRole('link', { name })
    const main = page.getByRole('main')
    const heading = main.getByRole('heading', { level: 1, name })
    await expect(row).toBeVisible()
    const slow = await hold(page, answers)
    await shifts(page)

    // Looked at with the frame after the press.
    await row.evaluate((link) =>
      addEventListener(
        'click',
        () =>
          requestAnimationFrame(() =>
            document.body.toggleAttribute('data-was-marked', 'pressed' in link.dataset),
          ),
        { once: true },
      ),
    )
    await row.focus()
    await (key === 'Enter' ? page.keyboard.press('Enter') : row.click())
    await expect(page.locator('body[data-was-marked]')).toHaveCount(1)

    const identity = main.getByRole('region', { name: 'Identity' })
    await expect(heading).toBeVisible()
    await expect(identity).toContainText(email)
    await expect(main.getByRole('button', { name: 'Edit' })).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(list.replace('?', '\\?')))
    const places = async () => [
      await heading.boundingBox(),
      await identity.boundingBox(),
      await main.getByRole('navigation', { name: 'About this user' }).boundingBox(),
    ]
    const before = await places()
    slow.letGo()

    await expect(page.getByText('Lyon', { exact: true })).toBeVisible()
    await expect(page).toHaveURL(new RegExp(id))
    await expect(heading).toBeFocused()
    expect(await places()).toEqual(before)
    expect(await shifts(page)).toBeLessThan(0.01)

    // Back shows the cached list without waiting for the service.
    const slowAgain = await hold(page, answers)
    await page.goBack()
    await expect(row).toBeFocused()
    slowAgain.letGo()
  })

test('a page that fails says so after its skeleton; the one that is left is there again where the way is given up', async ({
  page,
  signIn,
  service,
}) => {
  const { name, id, list } = await makeUser(service)
  await signIn('steward', 'segments')
  await page.getByRole('link', { name: new RegExp(`^Show .*${name}`) }).click()
  const row = page.getByRole('table', { name: 'Users' }).getByRole('link', { name })
  await expect(row).toBeVisible()
  const heading = page.getByRole('main').getByRole('heading', { level: 1 })
  await page.route(`**/api/users/${id}`, (route) => route.fulfill({ status: 500, body: '' }))
  const slow = await hold(page, answers)

  await row.click()
  await expect(heading).toHaveText(name)
  await page.goBack()
  await expect(row).toBeFocused()
  await expect(heading).toHaveText('Users')
  await expect(page).toHaveURL(new RegExp(list.replace('?', '\\?')))

  await row.click()
  await expect(heading).toHaveText(name)
  slow.letGo()
  await expect(page.getByRole('alert')).toContainText('Try again')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
})

test('another area: its place in the navigation and its skeleton at once; a tab leaves the user on screen', async ({
  page,
  signIn,
  service,
}) => {
  const { id, name } = await makeUser(service)
  await signIn('steward', `users/${id}`)
  const heading = page.getByRole('main').getByRole('heading', { level: 1 })
  await expect(page.getByText('Lyon', { exact: true })).toBeVisible()
  const slow = await hold(page, answers)

  await page.getByRole('link', { name: 'Activity', exact: true }).click()
  await expect(page.getByRole('main').getByText('Loading', { exact: true })).toBeVisible()
  await expect(heading).toHaveText(name)
  await expect(page.getByRole('button', { name: 'Edit' })).toBeEnabled()
  await expect(page.getByText('Lyon', { exact: true })).toBeHidden()

  await page.getByRole('link', { name: 'Segments', exact: true }).first().click()
  await expect(heading).toHaveText('Segments')
  await expect(page).toHaveURL(new RegExp(id))
  slow.letGo()
  await expect(heading).toBeFocused()
  await expect(page).toHaveURL(/\/segments$/)
})

test('resting on a row reads its page ahead, once; going over rows asks for nothing', async ({
  page,
  signIn,
  service,
}) => {
  const { id, name, list } = await makeUser(service)
  await signIn('steward', 'users')
  const rows = page.getByRole('table', { name: 'Users' }).getByRole('row')
  await expect(rows).toHaveCount(51)
  // Away from the row that it rests on since the sign-in.
  await page.getByRole('heading', { level: 1 }).hover()
  await page.waitForLoadState('networkidle')
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/\/api\/users\/.+/.test(pathname)) asked.push(pathname.replace(/^.*\/api/, ''))
  })
  await rows.evaluateAll((all) => {
    for (const [clientY, row] of all.entries())
      row.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, pointerType: 'mouse', clientY }))
    // On to where there is no row, in the same moment: to rest on the last one would be a wish to see it.
    document.body.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, pointerType: 'mouse' }))
  })
  await page.getByRole('heading', { level: 1 }).hover()
  expect(asked).toEqual([])

  await page.goto(list)
  const row = page.getByRole('link', { name })
  await row.hover()
  await expect.poll(() => asked).toContain(`/users/${id}`)
  await row.click()
  await expect(page.getByText('Lyon', { exact: true })).toBeVisible()
  // Secondary data is requested only once the entities are there.
  const ahead = [`/users/${id}`, `/users/${id}/entities`]
  expect(asked.filter((path) => ahead.includes(path)).toSorted()).toEqual(ahead)
})
