// Reads a session's entries in the browser's storages, and counts its requests to the provider.
import type { BrowserContext, Locator, Page } from '@playwright/test'

import { accounts } from '#server/identity/accounts.ts'
import { enter, expect, test as base } from './fixtures.ts'
import { hold } from './hold.ts'

interface Provider {
  /** Number of times that a page was sent to the sign-in. */
  visits: number
  /** Refresh tokens used for renewals. */
  readonly used: string[]
  /** Tokens issued by each sign-in and each renewal, by kind: access, refresh and ID token. */
  readonly issued: Record<string, string>[]
}

/** Test for journeys that record a session's requests to the provider from the first page on. */
export const test = base.extend<{ provider: Provider }>({
  signIn: ({ signInOnPage }, provide) => provide(signInOnPage),
  provider: async ({ context }, provide) => {
    await provide(watch(context))
  },
})

function watch(context: BrowserContext): Provider {
  const seen: Provider = { visits: 0, used: [], issued: [] }
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/oidc/auth') seen.visits += 1
    const sent = new URLSearchParams(request.postData() ?? '')
    if (sent.get('grant_type') === 'refresh_token') seen.used.push(sent.get('refresh_token') ?? '')
  })
  context.on('response', async (response) => {
    if (!response.url().endsWith('/oidc/token') || response.status() !== 200) return
    // The body is gone if the page was left right after the request.
    const body = (await response.json().catch(() => undefined)) as Record<string, string> | undefined
    const set = Object.entries(body ?? {}).filter(([name]) => /^(access|refresh|id)_token$/.test(name))
    if (set.length > 0) seen.issued.push(Object.fromEntries(set))
  })
  return seen
}

/** Returns the names of the tokens contained in a text, so that test messages never contain a token. */
export function tokensIn(text: string, { issued }: Provider): string[] {
  return issued.flatMap((set, index) =>
    Object.entries(set).flatMap(([name, token]) => (text.includes(token) ? [`${name} ${index + 1}`] : [])),
  )
}

export function expectNoTokenUsedTwice({ used }: Provider): void {
  expect(used.length).toBe(new Set(used).size)
}

/** Reads the current content of both storages. */
export function storagesOf(
  page: Page,
): Promise<{ tab: Record<string, string>; shared: Record<string, string> }> {
  return page.evaluate(() => {
    const contents = (storage: Storage) =>
      Object.fromEntries(Object.keys(storage).map((key) => [key, storage.getItem(key) ?? '']))
    return { tab: contents(sessionStorage), shared: contents(localStorage) }
  })
}

/**
 * Expects the newest tokens in the tab's own storage alone (`the session`), or neither tokens nor the user's identity
 * in any storage (`nothing`). The storage of all tabs must never contain the identity.
 */
export async function expectKept(
  page: Page,
  provider: Provider,
  what: 'the session' | 'nothing',
): Promise<void> {
  const read = async () => {
    const { tab, shared } = await storagesOf(page)
    // Entries of a pending sign-in do not count: they are removed when it ends, and are only visible because the
    // provider shares the console's origin here.
    if (page.url().includes('/oidc/'))
      for (const key of Object.keys(tab)) if (key.startsWith('data-store.sign-in.')) delete tab[key]
    return { tab: JSON.stringify(tab), shared: JSON.stringify(shared) }
  }
  await expect(async () => {
    const count = provider.issued.length
    expect(count).toBeGreaterThan(0)
    const newest = Object.keys(provider.issued.at(-1) ?? {}).map((name) => `${name} ${count}`)
    expect(tokensIn((await read()).tab, provider)).toEqual(what === 'nothing' ? [] : newest)
  }).toPass({ timeout: 60_000 })
  const { tab, shared } = await read()
  expect(tokensIn(shared, provider)).toEqual([])
  expect(/eyJ|token|verifier/i.test(shared), 'something like a token in the storage of all tabs').toBe(false)
  const people = accounts.flatMap(({ userName, name, email }) => [userName, name, email])
  const findNames = (text: string) => people.filter((name) => text.toLowerCase().includes(name.toLowerCase()))
  expect(findNames(shared)).toEqual([])
  if (what === 'nothing') expect([findNames(tab), /eyJ|token|verifier/i.test(tab)]).toEqual([[], false])
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

export const signedOut = (page: Page): Locator => page.getByRole('heading', { name: 'You’re signed out' })
export const lockDialog = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Sign in again to continue' })
export const heading = (page: Page, name: string): Locator => page.getByRole('heading', { level: 1, name })

/** Unlocks the page by signing in, in the popup that its dialog opens. */
export async function unlock(page: Page, userName: string): Promise<void> {
  const opening = page.waitForEvent('popup')
  await lockDialog(page).getByRole('button', { name: 'Sign in again' }).click()
  const popup = await opening
  const closed = popup.waitForEvent('close')
  await enter(popup, userName)
  await closed
}

/** Opens another tab of the same browser. */
export async function openTab(context: BrowserContext, path: string): Promise<Page> {
  const tab = await context.newPage()
  await tab.goto(path)
  return tab
}

/** Holds back the console's own code at the next load, while the page's initial scripts run. */
export const holdCode = (page: Page) => hold(page, /\/assets\/(?!begin|first|provider)[^/]*\.js$/)
