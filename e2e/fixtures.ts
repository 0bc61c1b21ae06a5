import { AxeBuilder } from '@axe-core/playwright'
import {
  type APIRequestContext,
  type APIResponse,
  type BrowserContext,
  type Page,
  test as base,
} from '@playwright/test'

import type { Role } from '#contract/index.ts'
import { accountPassword, scriptClientId, scriptClientSecret } from '#server/identity/accounts.ts'
import { openSignedIn } from './begun-session.ts'
import { expect, lengthen } from './pseudo.ts'

/** API client for scripts, signed in by client credentials: prepares a journey and checks its results. */
export interface Service {
  /** Returns the last segment of the `Location` header, which is the new id. */
  post(path: string, body: object): Promise<string>
  /** Returns the parsed body of the response to a POST. */
  ask<Body>(path: string, body: object): Promise<Body>
  get<Body>(path: string): Promise<Body>
  patch(path: string, body: object): Promise<void>
  delete(path: string): Promise<void>
}

interface Fixtures {
  /**
   * Errors and policy violations on any page or window of the journey. Those still listed at the end fail the journey.
   */
  faults: string[]
  service: Service
  /** Opens a page signed in as a role, with a session that was started beforehand. */
  signIn: (role: Role, path?: string) => Promise<void>
  /** Signs in through the sign-in pages, for journeys that test them. */
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
    context.on('page', ignoreEchoes)
    await context.exposeFunction('noteViolation', (violation: string) => faults.push(violation))
    await context.addInitScript(() => {
      const { noteViolation } = globalThis as unknown as { noteViolation: (violation: string) => void }
      // Violations are recorded here because the browser console shows neither those of a report-only policy nor those
      // whose error the page catches.
      document.addEventListener(
        'securitypolicyviolation',
        ({ effectiveDirective, blockedURI, sourceFile, sample }) =>
          noteViolation(`${effectiveDirective} forbids ${blockedURI} in ${sourceFile}: ${sample}`),
      )
      // Raises the page's request timeouts, because a busy machine takes longer to answer.
      const timeout = AbortSignal.timeout.bind(AbortSignal)
      AbortSignal.timeout = (ms) => timeout(Math.max(ms, 60_000))
    })
    await provide(context)
  },

  page: async ({ page }, provide) => {
    await lengthen(page, () => provide(page))
  },

  signIn: async ({ page, baseURL }, provide) => {
    await provide(async (role, path = '') => {
      // `path` is an absolute URL if the journey runs its own service.
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
    // Retries after 429, because a script sends requests faster than the rate limit allows.
    const retryLimited = async (send: () => Promise<APIResponse>): Promise<APIResponse> => {
      const response = await send()
      if (response.status() !== 429) return response
      await new Promise((resolve) => setTimeout(resolve, Number(response.headers()['retry-after']) * 1000))
      return await retryLimited(send)
    }
    await provide({
      async post(path, data) {
        const response = await retryLimited(() =>
          request.post(address(path), { headers, data, maxRedirects: 0 }),
        )
        expect(response.status()).toBe(201)
        return response.headers().location?.split('/').at(-1) ?? ''
      },
      async ask(path, data) {
        const response = await retryLimited(() => request.post(address(path), { headers, data }))
        expect(response.status()).toBe(200)
        return await response.json()
      },
      async get(path) {
        const response = await retryLimited(() => request.get(address(path), { headers }))
        expect(response.status()).toBe(200)
        return await response.json()
      },
      async patch(path, data) {
        const response = await retryLimited(() =>
          request.patch(address(path), { headers, data, maxRedirects: 0 }),
        )
        expect([204, 303]).toContain(response.status())
      },
      async delete(path) {
        const response = await retryLimited(() => request.delete(address(path), { headers }))
        expect(response.status()).toBe(204)
      },
    })
  },
})

/** Finds no text of a page a second time where the live region announces it. The page tests ignore these echoes, too. */
function ignoreEchoes(page: Page): void {
  const getByText = page.getByText.bind(page)
  page.getByText = (...given) => getByText(...given).and(page.locator(':not([data-echo])'))
}

/** Signs in on the provider's page, in a tab or a popup. */
export async function enter(page: Page, userName: string): Promise<void> {
  await page.getByLabel('User name').fill(userName)
  await page.getByLabel('Password').fill(accountPassword)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function expectShell(page: Page): Promise<void> {
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  // Waits for the console's own navigation, which replaces the static frame of the initial page.
  await expect(page.locator('[data-frame]')).toHaveCount(0)
}

/** Returns a token of the script that has all rights. */
export async function scriptToken(request: APIRequestContext): Promise<string> {
  const response = await request.post('oidc/token', {
    form: { grant_type: 'client_credentials' },
    headers: {
      authorization: `Basic ${Buffer.from(`${scriptClientId('admin')}:${scriptClientSecret}`).toString('base64')}`,
    },
  })
  const { access_token: token } = (await response.json()) as { access_token: string }
  return token
}

/** Makes the provider refuse renewals, so that the session ends with the next refused access token. */
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
 * Runs axe on the current page in light mode, dark mode and forced colours. everywhere.e2e.ts checks each address as
 * opened, in a wide window and on a phone; journeys check the states they produce.
 */
export async function expectAccessible(page: Page): Promise<void> {
  for (const look of looks) {
    const { colorScheme } = look
    await page.emulateMedia({ ...look, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    // Scrolls to the top first: otherwise the sticky header covers part of some element.
    await page.evaluate(() => window.scrollTo(0, 0))
    // Repeats the check if it finds something, since the page may still have been rendering.
    await expect(async () => {
      // Legacy mode runs in the page itself; without it axe opens another page each time, for frames that this app does
      // not have. Passed checks are not reported, since that would take as long as the checks. Long tables are checked
      // up to five rows: the others are alike and would take most of the time.
      const axe = new AxeBuilder({ page })
        .setLegacyMode()
        .exclude('tbody > tr:nth-child(n + 6)')
        .options({ resultTypes: ['violations'] })
      // After the first look, only rules that depend on colours are checked: everything else is unchanged.
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
