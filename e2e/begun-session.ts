// Starts the session of a tab with the real sign-in and its code flow, without opening the sign-in pages.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { decodeJwt } from 'jose'

import type { Role } from '#contract/index.ts'
import { accountPassword } from '#server/identity/accounts.ts'
import { type RunningSession, timesOf } from '#src/auth/tokens.ts'

interface Settings {
  readonly oidc: {
    readonly authority: string
    readonly clientId: string
    readonly scope: string
    readonly audience: string
  }
}

interface Answer {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token: string
  readonly expires_in: number
  readonly scope: string
}

/**
 * Opens a page of the console as if somebody had already signed in there. The session belongs to this tab alone, so
 * that no refresh token is used twice. The browser has the provider's cookie, so signing out ends both sessions.
 *
 * @param consoleUrl With a trailing slash.
 */
export async function openSignedIn(page: Page, role: Role, consoleUrl: string, path: string): Promise<void> {
  const session = await begin(page, role, consoleUrl)
  const { origin, pathname } = new URL(consoleUrl)
  const seeding = await page.addInitScript(
    ({ at, console, id, text }) => {
      // Runs only once, because the console writes these entries from then on.
      if (location.origin !== at || localStorage.getItem(`data-store.valid:${console}`) === id) return
      for (const key of ['data-store.prove', `data-store.alive:${console}`]) localStorage.removeItem(key)
      sessionStorage.removeItem('data-store.signed-out')
      localStorage.setItem(`data-store.alive:${console}`, String(Date.now()))
      localStorage.setItem(`data-store.valid:${console}`, id)
      sessionStorage.setItem(`data-store.session:${console}`, text)
    },
    { at: origin, console: pathname, id: session.id, text: JSON.stringify(session) },
  )
  await page.goto(path)
  await seeding.dispose()
}

/** Signs in with the requests that a browser would send, using this browser's cookies. */
async function begin(page: Page, role: Role, consoleUrl: string): Promise<RunningSession> {
  // A person may have signed in before in this browser.
  await page.context().clearCookies()
  const { request } = page.context()
  const { oidc } = (await (await request.get(`${consoleUrl}config.json`)).json()) as Settings
  const { authority, clientId, scope, audience } = oidc
  const resource = URL.canParse(audience) ? { resource: audience } : {}
  const verifier = randomBytes(32).toString('base64url')
  const asked = new URLSearchParams({
    client_id: clientId,
    redirect_uri: `${consoleUrl}signed-in`,
    response_type: 'code',
    scope,
    state: randomUUID(),
    nonce: randomUUID(),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...resource,
  })
  const form = await request.get(`${authority}/auth?${asked}`)
  const entered = await request.post(form.url(), { form: { username: role, password: accountPassword } })
  const answer = await request.post(`${authority}/token`, {
    form: {
      grant_type: 'authorization_code',
      code: new URL(entered.url()).searchParams.get('code') ?? '',
      redirect_uri: `${consoleUrl}signed-in`,
      client_id: clientId,
      code_verifier: verifier,
      ...resource,
    },
  })
  expect(answer.status(), `signing in as ${role}`).toBe(200)
  const set = (await answer.json()) as Answer
  const claims = decodeJwt<{ sub: string; auth_time: number }>(set.id_token)
  return {
    id: randomUUID(),
    renewals: 0,
    client: `${authority} ${clientId}`,
    tokens: {
      access: set.access_token,
      refresh: set.refresh_token,
      id: set.id_token,
      ...timesOf(set.expires_in * 1000),
      provenAtMs: claims.auth_time * 1000,
      claims,
      scope: set.scope,
    },
  }
}
