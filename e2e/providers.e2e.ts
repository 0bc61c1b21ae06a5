// Signing in with identity providers other than the bundled one, and the messages shown when signing in fails.
import type { Page } from '@playwright/test'

import { expect, expectAccessible, test } from './fixtures.ts'
import { startOwnService } from './own-service.ts'
import { type Habits, startProvider } from './provider.ts'
import { lockDialog, signedOut, signOut } from './sessions.ts'

type Provider = Awaited<ReturnType<typeof startProvider>>
type Service = Awaited<ReturnType<typeof startOwnService>>

/**
 * How the provider, and the service that trusts it, differ from the defaults. Each combination gets its own service.
 */
interface Make {
  readonly options?: Parameters<typeof startProvider>[0]
  readonly settings?: Readonly<Record<string, string>>
}

/** Starts a provider and its service for a group of journeys. */
function start({ options = {}, settings = {} }: Make) {
  const running = {} as { provider: Provider; service: Service }
  test.beforeAll(async () => {
    running.provider = await startProvider(options)
    running.service = await startOwnService({
      ADDITIONS: 'none',
      OIDC_ISSUER: running.provider.issuer,
      ...settings,
    })
  })
  test.afterAll(async () => {
    await running.service.close()
    await running.provider.close()
  })
  return running
}

const prove = (page: Page) => page.getByRole('button', { name: 'I am Ana' }).click()
const account = (page: Page) => page.getByRole('button', { name: 'Account: Ana' })

/**
 * Signs in, renews, gets locked, unlocks and signs out; the unsaved input has to survive until it is submitted after
 * the unlock.
 */
async function walk(
  page: Page,
  { provider, service }: { provider: Provider; service: Service },
  habits: Habits,
) {
  Object.assign(provider, { habits, gives: true, renewals: 0, endings: 0 })
  const renews = habits.hasNoRefreshTokens !== true
  await page.context().clock.install()

  await test.step('signing in', async () => {
    await page.goto(`${service.url}users/new`)
    await prove(page)
    // A sign-in that is too old is repeated, with `prompt=login` for providers that ignore max_age.
    if (habits.authTime === 'old') {
      await expect.poll(() => provider.asked.get('prompt')).toBe('login')
      await prove(page)
    }
    await expect(account(page)).toBeVisible()
    await page.getByRole('textbox', { name: 'Name' }).fill('Not saved yet')
  })

  await test.step('renewal', async () => {
    const session = () =>
      page.evaluate(
        () => Object.entries(sessionStorage).find(([key]) => key.startsWith('data-store.session:'))?.[1],
      )
    const before = await session()
    await page.clock.fastForward('04:45')
    if (renews) {
      await expect.poll(() => provider.renewals).toBe(1)
      // The next renewal is planned once the answer is there; time that passes before would not bring it nearer.
      await expect.poll(session).not.toBe(before)
    }
    await expect(lockDialog(page)).toBeHidden()
  })

  await test.step('lock', async () => {
    provider.gives = false
    await page.clock.fastForward(renews ? '04:45' : '15:00')
    await expect(lockDialog(page)).toContainText(
      renews ? 'Your session has ended' : 'Data Store was locked after',
    )
  })

  await test.step('unlock', async () => {
    provider.gives = true
    const opening = page.waitForEvent('popup')
    await lockDialog(page).getByRole('button', { name: 'Sign in again' }).click()
    const popup = await opening
    const closed = popup.waitForEvent('close')
    await prove(popup)
    await closed
    await expect(lockDialog(page)).toBeHidden()
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Not saved yet')
    // The form keeps its input, and the service accepts the new token for a write.
    await page.getByRole('button', { name: 'Create user' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Not saved yet' })).toBeVisible()
    await expect(lockDialog(page)).toBeHidden()
  })

  await test.step('sign-out', async () => {
    await signOut(page)
    await expect(signedOut(page)).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('button', { name: 'I am Ana' })).toBeVisible()
    // After signing out, a session that may still exist at the provider is not enough to sign in.
    expect(provider.asked.get('prompt')).toBe('login')
  })
}

const claims = { role: 'steward' }

test.describe('at a provider that', () => {
  const running = start({})
  const habits: Readonly<Record<string, Habits>> = {
    'writes an auth_time of 0, the type JWT, and refuses without a body': {
      claims: { ...claims, typ: 'Bearer' },
      authTime: 'zero',
      tokenType: 'JWT',
      refusal: 'empty',
    },
    'writes an old auth_time, no type, and refuses in HTML': {
      claims,
      authTime: 'old',
      tokenType: 'none',
      refusal: 'html',
    },
    'refuses with an empty 401': { claims, refusal: 'empty 401' },
    'gives no refresh token': { claims, hasNoRefreshTokens: true },
  }
  for (const [name, each] of Object.entries(habits))
    test(`${name}, a session goes from signing in to signing out`, async ({ page }) => {
      await walk(page, running, each)
      expect(running.provider.endings).toBe(1)
    })
})

test.describe('at a provider with roles within claims, endpoints of another origin and no page to sign out', () => {
  const running = start({
    options: { elsewhere: true, endSession: false },
    settings: {
      OIDC_SCOPE: 'openid profile',
      OIDC_ROLE_CLAIM: 'realm_access.roles',
      ROLE_MAP: 'ds-stewards=steward',
    },
  })
  test('a session goes from signing in to signing out', async ({ page }) => {
    await walk(page, running, {
      claims: { realm_access: { roles: ['admin', 'ds-stewards'] } },
      scopes: ['openid', 'profile'],
    })
    expect(running.provider.endings).toBe(0)
  })
})

test.describe('at a provider that tells roles by userinfo alone', () => {
  const running = start({ settings: { OIDC_ROLES_FROM: 'userinfo' } })
  test('a session goes from signing in to signing out', async ({ page }) => {
    await walk(page, running, { userInfo: claims })
  })
})

test.describe('a sign-in that fails', () => {
  const running = start({ settings: { LOG_LEVEL: 'warn' } })
  const title = (page: Page, name: string) =>
    expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

  test('a person is told why, and what to do', async ({ page, faults }) => {
    const { provider, service } = running
    const open = async (habits: Habits, path = 'users') => {
      Object.assign(provider, { habits: { claims, ...habits }, gives: true })
      await page.goto(service.url + path)
    }

    await open({})
    await page.getByRole('button', { name: 'Leave' }).click()
    await title(page, 'Sign-in was refused')
    await expectAccessible(page)

    await open({ scopes: ['openid'] })
    await title(page, 'Sign-in isn’t set up correctly')
    await expect(page.getByText('The sign-in service says: “The scope profile is not known.”')).toBeVisible()

    await open({}, 'signed-in?code=x&state=y&error_description=Call+us')
    await title(page, 'This sign-in has expired')
    await expect(page.getByText('Call us')).toHaveCount(0)

    await open({ isMixedUp: true })
    await prove(page)
    await title(page, 'This sign-in response isn’t for this console')

    await open({ refusal: 'down' })
    provider.gives = false
    await prove(page)
    await title(page, 'Can’t reach the sign-in service')
    provider.gives = true
    await page.getByRole('button', { name: 'Try again' }).click()
    await prove(page)
    await expect(account(page)).toBeVisible()
    await signOut(page)
    await expect(signedOut(page)).toBeVisible()
    // Simulates a proxy that serves the page without the provider's settings and without the provider's origin in the
    // policy.
    await page.route(service.url, async (route) => {
      const answer = await route.fetch()
      const { 'content-security-policy': sent = '', ...headers } = answer.headers()
      const policy = sent.replace(/connect-src [^;]*/, "connect-src 'self'")
      await route.fulfill({
        body: (await answer.text()).replace(/,"provider":\{[^}]*\}/, ''),
        headers: { ...headers, 'content-security-policy': policy },
      })
    })
    await page.getByRole('button', { name: 'Sign in' }).click()
    await title(page, 'Sign-in isn’t set up correctly')
    await expect(page.getByText(`Address: ${provider.issuer}`)).toBeVisible()
    expect(faults.splice(0).every((fault) => /connect-src|Content Security Policy/.test(fault))).toBe(true)
    await page.unrouteAll()

    await page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }))
    await open({})
    await title(page, 'This address isn’t secure')
  })

  test('a token for something else is refused, and the log says why', async ({ page }) => {
    const { provider, service } = running
    Object.assign(provider, { habits: { claims, audience: 'account' }, gives: true })
    await page.goto(`${service.url}users`)
    await prove(page)
    await expect(page.getByText('Your sign-in was rejected.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Copy request id' })).toBeVisible()
    expect(service.log()).toContain('its audience is \\"account\\", and OIDC_AUDIENCE is urn:data-store')
    await expectAccessible(page)
  })
})
