import type { BrowserContext, Page } from '@playwright/test'

import { enter, expect } from './fixtures.ts'
import { expectKept, heading, lockDialog, signedOut, signOut, storagesOf, unlock, test } from './sessions.ts'

/** Opens a tab as the browser restores it after a crash: at its address, with its former session storage. */
async function restore(context: BrowserContext, kept: Record<string, string>, path: string): Promise<Page> {
  const tab = await context.newPage()
  // A file of the same origin that runs no code.
  await tab.goto('favicon.svg')
  await tab.evaluate((entries) => {
    for (const [key, value] of Object.entries(entries)) sessionStorage.setItem(key, value)
  }, kept)
  await tab.goto(path)
  return tab
}

const form = (page: Page) => page.getByLabel('User name')

test('a restored tab continues its session; after a sign-out it has none', async ({
  page,
  context,
  signIn,
  provider,
}) => {
  await signIn('steward', 'segments')
  const { tab: kept } = await storagesOf(page)
  await page.close()
  const restored = await restore(context, kept, 'segments')
  await expect(heading(restored, 'Segments')).toBeVisible()
  expect(provider.visits).toBe(1)
  await signOut(restored)
  await expect(signedOut(restored)).toBeVisible()

  const after = await restore(context, kept, 'segments')
  await expect(form(after)).toBeVisible()
  await expectKept(after, provider, 'nothing')
})

test('a tab that is restored after 15 minutes without a sign of life asks who is there', async ({
  page,
  context,
  signIn,
  provider,
}) => {
  await context.clock.install()
  await signIn('steward', 'segments')
  const { tab: kept } = await storagesOf(page)
  await page.close()
  const empty = await context.newPage()
  await context.clock.fastForward('15:00')
  await empty.close()
  const restored = await restore(context, kept, 'users')
  await expect(form(restored)).toBeVisible()
  await expectKept(restored, provider, 'nothing')
  await enter(restored, 'steward')
  await expect(restored).toHaveURL(/\/users$/)
  await expect(heading(restored, 'Users')).toBeVisible()
})

test('a tab restored with tokens that were renewed since leads to the sign-in, and continues where it was', async ({
  page,
  context,
  signIn,
  provider,
}) => {
  await context.clock.install()
  await signIn('steward', 'segments')
  const { tab: kept } = await storagesOf(page)
  await context.clock.fastForward('04:45')
  await expect.poll(() => provider.issued.length).toBe(2)
  await expectKept(page, provider, 'the session')
  await page.close()
  const restored = await restore(context, kept, 'segments')
  await expect(lockDialog(restored)).toContainText('Your session has ended')
  await expectKept(restored, provider, 'nothing')
  await unlock(restored, 'steward')
  await expect(lockDialog(restored)).toBeHidden()
  await expect(restored).toHaveURL(/\/segments$/)
  await expect(heading(restored, 'Segments')).toBeVisible()
  await expectKept(restored, provider, 'the session')
})

for (const [jump, hours] of [
  ['forwards', 3],
  ['forwards beyond the longest session', 9],
  ['back', -3],
] as const)
  test(`a clock that jumped ${jump} between two loads asks who is there, once`, async ({
    page,
    context,
    signIn,
    provider,
  }) => {
    await context.clock.install()
    await signIn('steward', 'segments')
    // A page that is open notices that the clock is set back, and continues.
    await page.goto('favicon.svg')
    await context.clock.setSystemTime(Date.now() + hours * 3_600_000)
    await page.goto('segments')
    await expect(form(page)).toBeVisible()
    await expectKept(page, provider, 'nothing')
    await enter(page, 'steward')
    await expect(heading(page, 'Segments')).toBeVisible()
    await expectKept(page, provider, 'the session')
    const { visits } = provider
    await page.reload()
    await expect(heading(page, 'Segments')).toBeVisible()
    expect(provider.visits).toBe(visits)
  })
