import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

import { expect, test } from './fixtures.ts'
import { hold } from './hold.ts'

/** All scripts except the one that blocks the page. */
const scripts = /\/assets\/(?!boot-)[^/]+\.js$/

/** Waits for the first paint: content is in the document, but not painted, until the style sheets have loaded. */
async function waitForPaint(page: Page) {
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
}

test('the bar and the menu are there before any code, and stay where they are', async ({ page, signIn }) => {
  await signIn('admin', 'users')
  for (const width of [1440, 800, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const { letGo } = await hold(page, scripts)
    await page.goto('users', { waitUntil: 'commit' })
    await waitForPaint(page)
    const isNarrow = width <= 640
    const bar = await page.locator(isNarrow ? '.boot-menu' : '.boot-bar').boundingBox()
    const menu = isNarrow ? undefined : await page.locator('.boot-menu').boundingBox()
    letGo()
    await expect(page.locator('[data-frame]')).toHaveCount(0)
    expect(await page.getByRole('banner').first().boundingBox()).toEqual(bar)
    if (menu) expect((await page.locator('aside').first().boundingBox())?.width).toBe(menu.width)
    await page.unrouteAll({ behavior: 'wait' })
  }
})

test('before any code the frame is as dark as was chosen, and accessible', async ({ page, signIn }) => {
  await signIn('steward', 'segments')
  await page.evaluate(() => localStorage.setItem('data-store.scheme', 'dark'))
  const { letGo } = await hold(page, scripts)
  await page.goto('users', { waitUntil: 'commit' })
  await waitForPaint(page)
  await expect(page.getByText('Data Store', { exact: true })).toBeVisible()
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(17, 20, 26)')
  const axe = new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
  const { violations } = await axe.analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  letGo()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
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
  await expect(without.locator('[data-frame]')).toBeHidden()
  await context.close()

  await signIn('support', 'users')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'You’re signed out' })).toBeVisible()
  // Waits for the end of the redirect to the provider, which ends the provider's session as well.
  await expect(page).not.toHaveURL(/users|oidc/)
  const { letGo: letScriptsGo } = await hold(page, scripts)
  await page.goto('users', { waitUntil: 'commit' })
  await expect(page.locator('[data-frame]')).toBeAttached()
  await expect(page.locator('[data-frame]')).toBeHidden()
  letScriptsGo()
  await expect(page.getByRole('heading', { name: 'You’re signed out' })).toBeVisible()
})

for (const file of ['boot', 'main'])
  test(`without the file ${file} the page says that it could not be loaded, and shows no frame`, async ({
    page,
    signIn,
    faults,
  }) => {
    await signIn('support', 'users')
    await page.route(new RegExp(`/assets/${file}-[^/]+\\.js$`), (route) => route.abort())
    await page.reload({ waitUntil: 'commit' })
    await expect(page.getByText('Data Store could not be loaded.')).toBeVisible()
    await expect(page.locator('[data-frame]')).toBeHidden()
    // The console's code is imported dynamically, so its failure is reported as an error.
    if (file === 'main')
      await expect.poll(() => faults.splice(0)).toEqual([expect.stringContaining('Failed to fetch')])
  })

test('the font comes with the frame from a filled cache, and after the first row with an empty one', async ({
  page,
  signIn,
}) => {
  // Notes whether the frame or the page is shown when the document lets its font come.
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const { dataset } = document.documentElement
      dataset['fontCameWith'] ??= document.querySelector('[data-frame]') ? 'frame' : 'page'
    }).observe(document, { subtree: true, attributeFilter: ['data-own-font'] })
  })
  await signIn('support', 'users')
  await page.reload()
  const html = page.locator('html')
  await expect(html).toHaveAttribute('data-font-came-with', 'frame')
  const browser = await page.context().newCDPSession(page)
  await browser.send('Network.clearBrowserCache')
  await page.reload()
  await expect(html).toHaveAttribute('data-font-came-with', 'page')
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
