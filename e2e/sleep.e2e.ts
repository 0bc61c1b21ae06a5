import type { BrowserContext, Page } from '@playwright/test'

import { enter, expect, expectAccessible } from './fixtures.ts'
import { expectKept, heading, lockDialog, openTab, signedOut, signOut, test, unlock } from './sessions.ts'

const secret = 'Quicksilvery'
const typed = 'Not saved yet'

interface Sleeper {
  sleptMs: number
  /** Requests with a token since the latest sleep. */
  sent: string[]
}

/** Gives the context's pages a clock that `sleep` moves on without their timers. */
async function prepareSleep(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    // A tab that is being opened has no storage.
    if (location.protocol === 'about:') return
    const page = globalThis as unknown as Sleeper
    const now = Date.now.bind(Date)
    page.sleptMs = Number(localStorage.getItem('slept') ?? 0)
    Date.now = () => now() + page.sleptMs
    page.sent = []
    const { fetch } = globalThis
    globalThis.fetch = (input, init) => {
      const request = new Request(input, init)
      const isRenewal = init?.body instanceof URLSearchParams && init.body.has('refresh_token')
      if (isRenewal || request.headers.has('Authorization')) page.sent.push(request.url)
      return fetch(input, init)
    }
  })
}

type Wake = 'nothing' | 'mouse' | 'key' | 'press' | 'click' | 'focus' | 'online' | 'message'

/** Lets the machine sleep, and does something before any timer of the page can run. */
function sleep(page: Page, minutes: number, wake: Wake = 'nothing', name?: string): Promise<void> {
  return page.evaluate(
    ([ms, first, sought]) => {
      const slept = globalThis as unknown as Sleeper
      slept.sleptMs += ms
      slept.sent.length = 0
      localStorage.setItem('slept', String(slept.sleptMs))
      const controls = [...document.querySelectorAll<HTMLElement>('button, a, input')]
      const control =
        controls.find((each) => (each.ariaLabel ?? each.textContent).trim() === sought) ?? document.body
      if (first === 'mouse') control.dispatchEvent(new PointerEvent('pointermove', { bubbles: true }))
      if (first === 'press') control.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
      if (first === 'press' || first === 'click') control.click()
      if (first === 'key')
        control.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
      if (first === 'focus') control.focus()
      if (first === 'online') dispatchEvent(new Event('online'))
      if (first === 'message') {
        const channel = new BroadcastChannel(`data-store:${document.baseURI}`)
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
        channel.postMessage({ type: 'active', atMs: Date.now() - ms })
        channel.close()
      }
    },
    [minutes * 60_000, wake, name] as const,
  )
}

/** Returns the requests with which a token went since the latest sleep. */
const sentBy = (page: Page) => page.evaluate(() => (globalThis as unknown as Sleeper).sent)

const html = (page: Page) => page.evaluate(() => document.documentElement.outerHTML)
/** Returns the text of the clipboard; none while the page is being left. */
const clipboardOf = (page: Page) =>
  page.evaluate(() => navigator.clipboard.readText()).catch(() => 'not to be read')

async function makeUser(service: { post: (path: string, body: object) => Promise<string> }) {
  const user = await service.post('/users', { name: 'Sleepless' })
  const id = await service.post(`/users/${user}/entities`, {
    type: 'person',
    properties: [
      { key: 'city', type: 'TEXT', value: 'Lyon' },
      { key: 'iban', type: 'TEXT', sensitive: true, value: secret },
    ],
  })
  return { user, path: `users/${user}/entities/${id}` }
}

test('a session that slept is locked by whatever comes first, sends nothing, shows nothing, and keeps what was typed', async ({
  page,
  context,
  signIn,
  service,
  provider,
}) => {
  test.setTimeout(300_000)
  const { path } = await makeUser(service)
  await prepareSleep(context)
  await signIn('steward', path)
  const city = page.getByRole('textbox', { name: 'Value of City' })
  await city.fill(typed)
  for (const [minutes, wake, name] of [
    [16, 'mouse', undefined],
    [31, 'key', 'Hide IBAN'],
    [31, 'click', 'Copy IBAN'],
    [31, 'press', 'Segments'],
    [120, 'click', 'Segments'],
    [120, 'focus', 'Edit'],
    [120, 'online', undefined],
    [420, 'message', undefined],
    [540, 'nothing', undefined],
  ] as const) {
    await page.getByRole('button', { name: 'Reveal IBAN' }).click()
    await expect(page.getByText(secret)).toBeVisible()
    const { pathname } = new URL(page.url())
    await sleep(page, minutes, wake, name)
    await expect(lockDialog(page), `${minutes} minutes, ${wake}`).toBeVisible()
    expect(await html(page)).not.toContain(secret)
    await expectKept(page, provider, 'nothing')
    expect(await sentBy(page), `${minutes} minutes, ${wake}`).toEqual([])
    await unlock(page, 'steward')
    await expect(lockDialog(page)).toBeHidden()
    await expect(city).toHaveValue(typed)
    expect(new URL(page.url()).pathname).toBe(pathname)
  }
})

test('“Stay signed in” after a sleep locks; before the end it is an answer', async ({
  page,
  context,
  signIn,
}) => {
  await prepareSleep(context)
  await signIn('steward', 'segments')
  const warning = page.getByRole('dialog', { name: 'Are you still there?' })
  await sleep(page, 14.5)
  await expect(warning).toBeVisible()
  await warning.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(warning).toBeHidden()
  await sleep(page, 14.5)
  await expect(warning).toBeVisible()
  await sleep(page, 2, 'click', 'Stay signed in')
  await expect(lockDialog(page)).toBeVisible()
  expect(await sentBy(page)).toEqual([])
})

test('after ten minutes asleep the work continues', async ({ page, context, signIn, provider }) => {
  await prepareSleep(context)
  await signIn('steward', 'segments')
  await sleep(page, 10)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).click()
  await expect(page.getByRole('table', { name: 'Users' }).getByRole('row').nth(1)).toBeVisible()
  await expect(lockDialog(page)).toBeHidden()
  expect(provider.used).toHaveLength(1)
})

test('a save that was under way when the machine fell asleep is done once, and what was typed stays', async ({
  page,
  context,
  signIn,
  service,
}) => {
  const { user, path } = await makeUser(service)
  await prepareSleep(context)
  await signIn('steward', path)
  await page.getByRole('textbox', { name: 'Value of City' }).fill('Nice')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(`**/api/users/${user}/entit*/**`, async (route) => {
    if (route.request().method() !== 'GET') await held
    await route.continue()
  })
  await page.getByRole('button', { name: 'Save 1 change' }).click()
  await sleep(page, 31, 'mouse')
  await expect(lockDialog(page)).toBeVisible()
  release()
  await unlock(page, 'steward')
  await expect(lockDialog(page)).toBeHidden()
  await expect(page.getByText('Nice', { exact: true }).first()).toBeVisible()
  await page.unrouteAll()
})

test('a tab that was frozen continues while another one is used; both are locked after a sleep', async ({
  page,
  context,
  signIn,
}) => {
  await prepareSleep(context)
  await signIn('steward', 'segments')
  const other = await openTab(context, 'users')
  await expect(heading(other, 'Users')).toBeVisible()
  for (const minutes of [10, 10]) {
    await sleep(other, minutes)
    await other.keyboard.press('Shift')
  }
  await sleep(page, 20, 'mouse')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Users' }).click()
  await expect(heading(page, 'Users')).toBeVisible()
  for (const tab of [page, other]) await expect(lockDialog(tab)).toBeHidden()
  await Promise.all([page, other].map((tab) => sleep(tab, 31)))
  for (const tab of [page, other]) await expect(lockDialog(tab)).toBeVisible()
})

test('a copied sensitive value leaves the clipboard with lock, sign-out and page', async ({
  page,
  context,
  signIn,
  service,
}) => {
  const { path } = await makeUser(service)
  await prepareSleep(context)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn('steward', path)
  const copy = async () => {
    await page.getByRole('button', { name: 'Reveal IBAN' }).click()
    await page.getByRole('button', { name: 'Copy IBAN' }).click()
    await expect.poll(() => clipboardOf(page)).toBe(secret)
  }
  await copy()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Reveal IBAN' })).toBeVisible()
  await expect.poll(() => clipboardOf(page)).toBe('')

  await copy()
  await page.goto('segments')
  await expect(heading(page, 'Segments')).toBeVisible()
  await expect.poll(() => clipboardOf(page)).toBe('')

  await page.goto(path)
  await copy()
  // These keys copy nothing, since no text is selected.
  await page.keyboard.press('Control+c')
  await sleep(page, 31, 'mouse')
  await expect(lockDialog(page)).toBeVisible()
  await expect.poll(() => clipboardOf(page)).toBe('')
  await unlock(page, 'steward')
  await expect(lockDialog(page)).toBeHidden()

  await copy()
  await page.evaluate(() => navigator.clipboard.writeText('copied elsewhere'))
  await signOut(page)
  await expect(signedOut(page)).toBeVisible()
  await expect.poll(() => clipboardOf(page)).toMatch(/^(copied elsewhere)?$/)

  await page.getByRole('button', { name: 'Sign in' }).click()
  await enter(page, 'steward')
  await expect(page.getByRole('button', { name: 'Account: Data steward' })).toBeVisible()
  await page.goto(path)
  await copy()
  await signOut(page)
  await expect(signedOut(page)).toBeVisible()
  await expect.poll(() => clipboardOf(page)).toBe('')
})

test('a browser that does not empty the clipboard leads to a word about it, at the lock and after the sign-out', async ({
  page,
  context,
  signIn,
  service,
}) => {
  const { path } = await makeUser(service)
  await prepareSleep(context)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await context.addInitScript(() => {
    const write = navigator.clipboard.writeText.bind(navigator.clipboard)
    navigator.clipboard.writeText = (text) =>
      text === ''
        ? Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'))
        : write(text)
  })
  await signIn('steward', path)
  await page.getByRole('button', { name: 'Reveal IBAN' }).click()
  await page.getByRole('button', { name: 'Copy IBAN' }).click()
  await expect.poll(() => clipboardOf(page)).toBe(secret)
  await sleep(page, 31, 'mouse')
  const word = /^The value you copied may still be in the clipboard/
  await expect(lockDialog(page).getByText(word)).toBeVisible()
  await unlock(page, 'steward')
  await expect(lockDialog(page)).toBeHidden()
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText(word)).toBeVisible()
  await signOut(page)
  await expect(signedOut(page)).toBeVisible()
  await expect(page.getByText(word)).toBeVisible()
  await expectAccessible(page)
})
