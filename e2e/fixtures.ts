import { AxeBuilder } from '@axe-core/playwright'
import {
  type APIRequestContext,
  type APIResponse,
  type BrowserContext,
  expect,
  type Page,
  test as base,
} from '@playwright/test'

import type { Role } from '#contract/index.ts'
import { accountPassword, scriptClientId, scriptClientSecret } from '#server/identity/accounts.ts'

import { openSignedIn } from './begun-session.ts'
import { bareName } from './targets.ts'

/** The API as a script uses it, signed in by client credentials: to prepare a journey and to see what it left. */
export interface Service {
  /** Location's last segment for a created thing; the parsed body for a read. */
  post(path: string, body: object): Promise<string>
  /** The parsed body that a POST is answered with. */
  ask<Body>(path: string, body: object): Promise<Body>
  get<Body>(path: string): Promise<Body>
  patch(path: string, body: object): Promise<void>
  delete(path: string): Promise<void>
}

interface Fixtures {
  /** Errors and policy violations of any page or window of the journey. One that is left at the end fails the journey. */
  faults: string[]
  service: Service
  /** Opens a page signed in as a role, with a session that began before it was opened. */
  signIn: (role: Role, path?: string) => Promise<void>
  /** Signs in through the pages of the sign-in, for journeys that are about it. */
  signInOnPage: (role: Role, path?: string) => Promise<void>
}

export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- this is how Playwright learns what a fixture needs
  faults: async ({}, provide) => {
    const faults: string[] = []
    await provide(faults)
    expect(faults, 'errors and violations of the policy in the browser').toEqual([])
  },

  context: async ({ context, faults }, provide) => {
    // Every error that a page logs counts, except the browser's own line for a refused request.
    context.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(message.text())
    })
    context.on('weberror', (error) => faults.push(String(error.error())))
    await context.exposeFunction('noteViolation', (violation: string) => faults.push(violation))
    await context.addInitScript(() => {
      const { noteViolation } = globalThis as unknown as { noteViolation: (violation: string) => void }
      // The console does not show violations of a report-only policy, nor those that the page catches.
      document.addEventListener(
        'securitypolicyviolation',
        ({ effectiveDirective, blockedURI, sourceFile, sample }) =>
          noteViolation(`${effectiveDirective} forbids ${blockedURI} in ${sourceFile}: ${sample}`),
      )
      // On a machine that has other work an answer takes longer than the page would wait for it.
      const timeout = AbortSignal.timeout.bind(AbortSignal)
      AbortSignal.timeout = (ms) => timeout(Math.max(ms, 60_000))
    })
    await provide(context)
  },

  signIn: async ({ page, baseURL }, provide) => {
    await provide(async (role, path = '') => {
      // An address of a service of the journey's own is a whole one.
      await openSignedIn(page, role, new URL('/', new URL(path, baseURL)).href, path)
      await expectShell(page)
    })
  },

  signInOnPage: async ({ page }, provide) => {
    await provide(async (role, path = '') => {
      await page.goto(path)
      await enter(page, role)
      await expectShell(page)
    })
  },

  service: async ({ request, baseURL }, provide) => {
    const headers = { authorization: `Bearer ${await scriptToken(request)}` }
    const address = (path: string) => `${baseURL ?? ''}api${path}`
    // A script is faster than the service lets one caller be.
    const unhurried = async (send: () => Promise<APIResponse>): Promise<APIResponse> => {
      const response = await send()
      if (response.status() !== 429) return response
      await new Promise((resolve) => setTimeout(resolve, Number(response.headers()['retry-after']) * 1000))
      return await unhurried(send)
    }
    await provide({
      async post(path, data) {
        const response = await unhurried(() =>
          request.post(address(path), { headers, data, maxRedirects: 0 }),
        )
        expect(response.status()).toBe(201)
        return response.headers().location?.split('/').at(-1) ?? ''
      },
      async ask(path, data) {
        const response = await unhurried(() => request.post(address(path), { headers, data }))
        expect(response.status()).toBe(200)
        return await response.json()
      },
      async get(path) {
        const response = await unhurried(() => request.get(address(path), { headers }))
        expect(response.status()).toBe(200)
        return await response.json()
      },
      async patch(path, data) {
        const response = await unhurried(() =>
          request.patch(address(path), { headers, data, maxRedirects: 0 }),
        )
        expect([204, 303]).toContain(response.status())
      },
      async delete(path) {
        const response = await unhurried(() => request.delete(address(path), { headers }))
        expect(response.status()).toBe(204)
      },
    })
  },
})

/** Signs in on the provider's page, wherever it is shown. */
export async function enter(page: Page, userName: string): Promise<void> {
  await page.getByLabel('User name').fill(userName)
  await page.getByLabel('Password').fill(accountPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Whether this is the service without additions, in a journey that is made on both. */
export const isBare = (): boolean => test.info().project.name === bareName

async function expectShell(page: Page): Promise<void> {
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  // The one of the console, not the one that the page brought.
  await expect(page.locator('[data-frame]')).toHaveCount(0)
}

async function scriptToken(request: APIRequestContext): Promise<string> {
  const response = await request.post('oidc/token', {
    form: { grant_type: 'client_credentials' },
    headers: {
      authorization: `Basic ${Buffer.from(`${scriptClientId('admin')}:${scriptClientSecret}`).toString('base64')}`,
    },
  })
  const { access_token: token } = (await response.json()) as { access_token: string }
  return token
}

/** The provider renews no token any more: with the next refusal of one the session is over. */
export async function refuseRenewal(pages: Page | BrowserContext): Promise<void> {
  await pages.route('**/oidc/token', (route) =>
    route.request().postData()?.includes('refresh_token') === true
      ? route.fulfill({ status: 400, contentType: 'application/json', body: '{"error":"invalid_grant"}' })
      : route.fallback(),
  )
}

const looks = [
  { colorScheme: 'light', forcedColors: 'none' },
  { colorScheme: 'dark', forcedColors: 'none' },
  { colorScheme: 'light', forcedColors: 'active' },
] as const

/**
 * Runs axe on the page as it is, in light, in dark, and in colours that the system decides. Each address is looked at as it is
 * opened, in a wide window and on a phone (everywhere.e2e.ts), and what journeys make of it beside; on the service without additions only what is not to be seen on the
 * other (`on each` service that the journey is made on).
 */
export async function expectAccessible(page: Page, where?: 'on each'): Promise<void> {
  if (isBare() && where === undefined) return
  for (const look of looks) {
    const { colorScheme } = look
    await page.emulateMedia({ ...look, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    // From the top: scrolled, the header covers half of something wherever a page happens to stand.
    await page.evaluate(() => window.scrollTo(0, 0))
    // Looked at again where it finds something: it may have been drawing what just came in.
    await expect(async () => {
      // Legacy mode runs in the page itself: without it axe opens another page each time, for frames that we do not
      // have. Passed checks are not described, which would take as long as the checks. Long tables keep five rows: the
      // others are like them, and would take most of the time.
      const axe = new AxeBuilder({ page })
        .setLegacyMode()
        .exclude('tbody > tr:nth-child(n + 6)')
        .options({ resultTypes: ['violations'] })
      // After the first time only what colours decide: the rest is the same.
      const { violations } = await (
        look === looks[0]
          ? axe.withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'])
          : axe.withRules(['color-contrast', 'link-in-text-block'])
      ).analyze()
      expect(
        violations.map(
          ({ id, nodes }) =>
            `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`).join(' ')}`,
        ),
        JSON.stringify(look),
      ).toEqual([])
    }).toPass({ timeout: 60_000 })
  }
  await page.emulateMedia({ forcedColors: null })
}

export { expect }
