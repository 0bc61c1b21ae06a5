import type { BrowserContext, Page } from '@playwright/test'

import { enter, expect } from './fixtures.ts'
import { heading, openTab, signedOut, signOut, test } from './sessions.ts'

const keepsNothing = /^Your browser doesn’t let this site store data/

/** Makes the storages throw on access, as browsers do that block site data. */
async function switchOff(
  context: BrowserContext,
  ...names: ('localStorage' | 'sessionStorage')[]
): Promise<void> {
  await context.addInitScript((off) => {
    for (const name of off)
      Object.defineProperty(globalThis, name, {
        get() {
          throw new DOMException('The storage is switched off.', 'SecurityError')
        },
      })
  }, names)
}

/** Makes writing to the storages fail, as with a full disk or a quota of zero. */
async function fill(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The storage is full.', 'QuotaExceededError')
    }
  })
}

/** Signs in on a page that says that it can store nothing, and therefore opens the sign-in in a window. */
async function signInBeside(page: Page, userName: string): Promise<void> {
  await expect(page.getByText(keepsNothing)).toBeVisible()
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const popup = await opening
  const closed = popup.waitForEvent('close')
  await enter(popup, userName)
  await closed
}

for (const [what, prepare] of [
  ['both storages are switched off', (context) => switchOff(context, 'localStorage', 'sessionStorage')],
  ['the storage of the tab is switched off', (context) => switchOff(context, 'sessionStorage')],
  ['the storages are full', fill],
] as const satisfies [string, (context: BrowserContext) => Promise<void>][])
  test(`a session is kept in memory, and begun in a window beside the page, where ${what}`, async ({
    page,
    context,
  }) => {
    await prepare(context)
    await page.goto('segments')
    await signInBeside(page, 'steward')
    await expect(heading(page, 'Segments')).toBeVisible()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).click()
    await page.getByRole('table', { name: 'Users' }).getByRole('link').first().click()
    await expect(page).toHaveURL(/\/users\/[\da-f-]{36}$/)
    await signOut(page)
    await expect(page.getByText(keepsNothing)).toBeVisible()
  })

test('without a storage shared by all tabs each load goes to the provider and comes back', async ({
  page,
  context,
  signIn,
  provider,
}) => {
  await switchOff(context, 'localStorage')
  // With a clock that is far ahead, every authentication looks too old; without the storage, the page cannot remember
  // that it already requested a new one.
  await context.clock.install({ time: Date.now() + 9 * 3_600_000 })
  await signIn('steward', 'segments')
  await page.reload()
  await expect(heading(page, 'Segments')).toBeVisible()
  const other = await openTab(context, 'users')
  await expect(heading(other, 'Users')).toBeVisible()
  expect(provider.visits).toBe(3)
  await signOut(page)
  for (const tab of [page, other]) await expect(signedOut(tab)).toBeVisible()
})
