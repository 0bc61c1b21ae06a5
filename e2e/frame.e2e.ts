import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

import { expect, test } from './fixtures.ts'
import { answers, hold } from './hold.ts'

/** All but the one script that the page waits for. */
const scripts = /\/assets\/(?!first-)[^/]+\.js$/

/** Waits for the first paint: content is in the document, but not painted, until the style sheets have loaded. */
async function painted(page: Page) {
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
}

/** Positions of the parts of the frame and the skeleton, except those that appear only with the session. */
function places(page: Page): Promise<unknown> {
  return page
    .locator('aside, aside a, header, header button, main, h1, th, main span')
    .evaluateAll((parts) =>
      parts
        .filter(
          (part) =>
            part.checkVisibility({ visibilityProperty: true }) && !part.matches('[aria-haspopup=menu]'),
        )
        .map((part) => `${part.tagName} ${JSON.stringify(part.getBoundingClientRect())}`),
    )
}

test('the frame and the skeleton of the page are there before any code, and stay where they are', async ({
  page,
  signIn,
}) => {
  await signIn('admin', 'users')
  const users = page.getByRole('table', { name: 'Users' })
  const user = (await users.getByRole('link').first().getAttribute('href')) ?? ''
  for (const [path, area, skeleton, width] of [
    ['users', 'Users', 'users', 1440],
    ['users', 'Users', 'users', 390],
    [user, 'Users', 'users/:id', 1440],
    [user, 'Users', 'users/:id', 390],
    ['segments', 'Segments', 'segments', 1440],
    ['segments', 'Segments', 'segments', 390],
    ['audit', 'Audit', 'audit', 1440],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    const { letGo: letScriptsGo } = await hold(page, scripts)
    const { letGo: letAnswersGo } = await hold(page, answers)
    await page.goto(path, { waitUntil: 'commit' })
    await painted(page)
    const title = page.locator('[data-frame] h1').filter({ visible: true })
    await expect(title).toHaveCount(1)
    expect(
      await title.evaluate((h1) => h1.closest('[data-skeleton]')?.getAttribute('data-skeleton')),
    ).toMatch(new RegExp(`^${skeleton}( |$)`))
    const link = page.locator('nav a', { hasText: area })
    await expect(link).toHaveCSS('background-color', 'rgb(239, 243, 255)')
    // On a busy machine the first paint may come before the letters: a bar stands on another line by a fraction of a pixel.
    await page.evaluate(async () => {
      await document.fonts.ready
    })
    const before = await places(page)

    letScriptsGo()
    await expect(page.locator('#root > :not([data-frame]) [aria-haspopup=menu]')).toBeVisible()
    await expect(page.locator('[data-frame]')).toHaveCount(0)
    expect(await places(page)).toEqual(before)

    letAnswersGo()
    await expect(page.locator('h1')).not.toBeEmpty()
    await page.unrouteAll({ behavior: 'wait' })
  }
})

test('before any code the frame is as dark as it will be, can be left by its links, and is accessible', async ({
  page,
  signIn,
}) => {
  await signIn('steward', 'segments')
  const { letGo: letScriptsGo } = await hold(page, scripts)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('users', { waitUntil: 'commit' })
  await painted(page)
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(17, 20, 26)')
  // Controls that do nothing yet, such as the link to the content, cannot be focused.
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Home' })).toBeFocused()
  const axe = new AxeBuilder({ page }).withTags([
    'wcag2a',
    'wcag2aa',
    'wcag21aa',
    'wcag22aa',
    'best-practice',
  ])
  const { violations } = await axe.analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  await page.getByRole('link', { name: 'Segments' }).click()
  await expect(page).toHaveURL(/\/segments$/)
  letScriptsGo()
  await expect(page.getByRole('heading', { name: 'Segments' })).toBeVisible()
})

test('without scripts, and after signing out, no frame pretends that there will be a page', async ({
  page,
  signIn,
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) })
  const without = await context.newPage()
  await without.goto('users')
  await expect(without.locator('[data-frame]')).toBeAttached()
  await expect(without.getByRole('navigation')).toBeHidden()
  await context.close()

  await signIn('support', 'users')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
  // Past the provider, whose session is ended as well.
  await expect(page).not.toHaveURL(/users|oidc/)
  const { letGo: letScriptsGo } = await hold(page, scripts)
  await page.goto('users', { waitUntil: 'commit' })
  await expect(page.locator('[data-frame]')).toBeAttached()
  await expect(page.locator('[data-frame] main')).toBeHidden()
  letScriptsGo()
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
})

for (const file of ['begin', 'index'])
  test(`without the file ${file} the page says that it could not be loaded, and shows no frame`, async ({
    page,
    signIn,
    faults,
  }) => {
    await signIn('support', 'users')
    await page.route(new RegExp(`/assets/${file}-[^/]+\\.js$`), (route) => route.abort())
    await page.reload({ waitUntil: 'commit' })
    await expect(page.getByText('Data Store could not be loaded.')).toBeVisible()
    await expect(page.locator('[data-frame] main')).toBeHidden()
    // The console's code is imported, whose failure is reported as an error.
    if (file === 'index')
      await expect.poll(() => faults.splice(0)).toEqual([expect.stringContaining('Failed to fetch')])
  })

test('a reload and a new tab ask for their data before they have the code', async ({
  page,
  context,
  signIn,
}) => {
  await signIn('support', 'segments')
  for (const tab of [page, await context.newPage()]) {
    const { letGo: letScriptsGo } = await hold(tab, scripts)
    const asked = tab.waitForRequest(/\/api\/users$/)
    await tab.goto('users', { waitUntil: 'commit' })
    expect((await asked).headers()['authorization']).toMatch(/^Bearer ./)
    letScriptsGo()
    await expect(tab.getByRole('table', { name: 'Users' }).getByRole('link').first()).toBeVisible()
    await tab.unrouteAll({ behavior: 'wait' })
  }
})

test('from the frame to the page there is always something to see', async ({ page, context, signIn }) => {
  await signIn('support', 'users')
  await context.addInitScript(() => {
    const seen: boolean[] = []
    Object.assign(globalThis, { seen })
    const look = () => {
      seen.push([...document.querySelectorAll('h1')].some((h1) => h1.checkVisibility()))
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  // A gap of a frame on a fast machine is one of many on a slow one.
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  for (const path of ['users', 'segments', 'events']) {
    await page.goto(path)
    await expect(page.locator('[data-frame]')).toHaveCount(0)
    await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
    const seen = await page.evaluate(() => (globalThis as unknown as { seen: boolean[] }).seen)
    expect(seen.slice(seen.indexOf(true)), path).not.toContain(false)
  }
})
