import type { BrowserContext, Locator, Page } from '@playwright/test'

import { enter, expect, refuseRenewal } from './fixtures.ts'
import {
  storagesOf,
  expectKept,
  expectNoTokenUsedTwice,
  heading,
  holdCode,
  lockDialog,
  openTab,
  signedOut,
  signOut,
  tokensIn,
  unlock,
  test,
} from './sessions.ts'

const typed = 'Not saved yet'

/** Opens one tab with unsaved input and a second tab. The clock is installed, so that the journey can advance it. */
async function twoTabs(
  page: Page,
  context: BrowserContext,
  signIn: (role: 'steward', path: string) => Promise<void>,
): Promise<{ name: Locator; other: Page }> {
  await context.clock.install()
  await signIn('steward', 'users/new')
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill(typed)
  const other = await openTab(context, 'users')
  await expect(heading(other, 'Users')).toBeVisible()
  return { name, other }
}

const account = (page: Page, name: string) => page.getByRole('button', { name: `Account: ${name}` })

test('a provider that renews no more locks all tabs; signing in over what is unsaved unlocks them all @smoke', async ({
  page,
  context,
  signIn,
  provider,
}) => {
  const { name, other } = await twoTabs(page, context, signIn)
  await refuseRenewal(context)
  await context.clock.fastForward('04:45')
  for (const tab of [page, other]) {
    await expect(lockDialog(tab)).toContainText('Your session has ended')
    await expectKept(tab, provider, 'nothing')
  }
  await context.unroute('**/oidc/token')
  await unlock(page, 'steward')
  for (const tab of [page, other]) {
    await expect(lockDialog(tab)).toBeHidden()
    await expectKept(tab, provider, 'the session')
  }
  await expect(name).toHaveValue(typed)
  await other.getByRole('table', { name: 'Users' }).getByRole('link').first().click()
  await expect(other).toHaveURL(/\/users\/[\da-f-]{36}$/)
  expectNoTokenUsedTwice(provider)
})

test('someone else in the window over a locked page discards the pages of all tabs, and what they keep', async ({
  page,
  context,
  signIn,
  provider,
}) => {
  const { name, other } = await twoTabs(page, context, signIn)
  const asked: string[] = []
  for (const tab of [page, other])
    tab.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
  await context.clock.fastForward('15:00')
  const before = { ...provider, issued: [...provider.issued] }
  await unlock(page, 'support')
  for (const tab of [page, other]) {
    await expect(account(tab, 'Support')).toBeVisible()
    await expect(heading(tab, 'Users')).toBeVisible()
    const stored = JSON.stringify(await storagesOf(tab))
    expect(tokensIn(stored, before)).toEqual([])
    expect(/steward/i.test(stored)).toBe(false)
  }
  await expect(name).toBeHidden()
  // Neither page asked for confirmation before leaving.
  expect(asked).toEqual([])
})

test('someone else in a new tab, while others are locked, discards their pages', async ({
  page,
  context,
  signIn,
}) => {
  const { name, other } = await twoTabs(page, context, signIn)
  await context.clock.fastForward('15:00')
  for (const tab of [page, other]) await expect(lockDialog(tab)).toBeVisible()
  // The provider's session is not enough: the person has to authenticate again.
  const fresh = await openTab(context, 'segments')
  await enter(fresh, 'support')
  for (const tab of [fresh, page, other]) await expect(account(tab, 'Support')).toBeVisible()
  await expect(heading(fresh, 'Segments')).toBeVisible()
  await expect(name).toBeHidden()
})

test("signing in again in a new tab unlocks the person's other tabs, which keep what was typed", async ({
  page,
  context,
  signIn,
  provider,
}) => {
  const { name, other } = await twoTabs(page, context, signIn)
  await context.clock.fastForward('15:00')
  for (const tab of [page, other]) await expect(lockDialog(tab)).toBeVisible()
  const fresh = await openTab(context, 'segments')
  await enter(fresh, 'steward')
  for (const tab of [fresh, page, other]) {
    await expect(account(tab, 'Data steward')).toBeVisible()
    await expect(lockDialog(tab)).toBeHidden()
    await expectKept(tab, provider, 'the session')
  }
  await expect(name).toHaveValue(typed)
})

for (const end of ['sign-out', 'lock'] as const)
  test(`a tab that is loading is notified of a ${end} as well`, async ({
    page,
    context,
    signIn,
    provider,
  }) => {
    await context.clock.install()
    await signIn('steward', 'segments')
    const other = await openTab(context, 'segments')
    await expect(heading(other, 'Segments')).toBeVisible()
    const code = await holdCode(other)
    await other.goto('users', { waitUntil: 'commit' })
    await code.asked
    if (end === 'sign-out') {
      await signOut(page)
      await expect(signedOut(page)).toBeVisible()
    } else {
      await context.clock.fastForward('15:00')
      await expect(lockDialog(page)).toBeVisible()
    }
    code.letGo()
    const ended = end === 'lock' ? lockDialog(other) : signedOut(other)
    // The tab may also be at the provider already, if it learned of the end of the session in time.
    await expect(ended.or(other.getByLabel('User name'))).toBeVisible()
    await expectKept(other, provider, 'nothing')
  })

test('behind the lock, what is being edited is neither on paper nor told to a screen reader, and is there after', async ({
  page,
  context,
  signIn,
  service,
}) => {
  await context.clock.install()
  const user = await service.post('/users', { name: 'Canary Ana', email: 'canary@example.org' })
  await signIn('steward', `users/${user}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const name = page.getByRole('textbox', { name: 'Name', includeHidden: true })
  await name.press('End')
  await page.keyboard.type(' Lopez')
  await context.clock.fastForward('15:00')
  await expect(lockDialog(page)).toBeVisible()
  await expect(name).toBeAttached()
  const browser = await context.newCDPSession(page)
  const { nodes } = (await browser.send('Accessibility.getFullAXTree')) as { nodes: unknown[] }
  expect(JSON.stringify(nodes)).toContain('Sign in again to continue')
  expect(JSON.stringify(nodes)).not.toMatch(/canary/i)
  for (const media of ['screen', 'print'] as const) {
    await page.emulateMedia({ media })
    expect(await page.evaluate(visibleTexts), media).not.toMatch(/canary/i)
    await expect(lockDialog(page)).toBeVisible()
  }
  await page.emulateMedia({ media: null })
  await unlock(page, 'steward')
  await expect(lockDialog(page)).toBeHidden()
  await expect(name).toHaveValue('Canary Ana Lopez')
  await expect(name).toBeFocused()
})

/** Returns the texts and the contents of inputs that the page draws, covered or not. */
function visibleTexts(): string {
  const isDrawn = (element: Element | null) =>
    element?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) === true
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts: string[] = []
  while (walker.nextNode())
    if (isDrawn(walker.currentNode.parentElement)) texts.push(walker.currentNode.textContent ?? '')
  for (const input of document.querySelectorAll<HTMLInputElement>('input, textarea'))
    if (isDrawn(input)) texts.push(input.value)
  return texts.join('\n')
}
