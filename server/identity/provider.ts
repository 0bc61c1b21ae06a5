import type { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type http from 'node:http'
import { fileURLToPath } from 'node:url'
import { calculateJwkThumbprint, importJWK, type JSONWebKeySet, jwtVerify } from 'jose'
import type { InteractionResults, KoaContextWithOIDC } from 'oidc-provider'
import { SessionNotFound } from 'oidc-provider/lib/helpers/errors.js'
import { Provider } from 'oidc-provider/lib/provider.js'

import { authenticate, claimsOf, findAccount } from './accounts.ts'
import { configuration, type IdentitySettings, signingAlgorithm } from './configuration.ts'
import { contentSecurityPolicy, fontFile, noticePage, signInPage } from './sign-in-page.ts'
import { loadKeys, type IdentityKeys } from './signing-keys.ts'

const failuresPerMinute = 10
const formBytes = 4096

type Context = Pick<KoaContextWithOIDC, 'req' | 'res' | 'path' | 'method' | 'status' | 'type' | 'body'> &
  Pick<KoaContextWithOIDC, 'set' | 'get' | 'vary' | 'redirect'>

/**
 * Creates an identity provider for development. It follows the standards that the console and the service expect of
 * any other provider.
 */
export async function createIdentityProvider(settings: IdentitySettings): Promise<{
  /** Handles the requests below the issuer's path. */
  handle: (request: http.IncomingMessage, response: http.ServerResponse) => void
  /** Public keys of the token signatures, as the provider publishes them. */
  jwks: JSONWebKeySet
}> {
  const loaded = await loadKeys(settings.keyFile)
  const { d: _private, ...published } = loaded.signing
  const kid = await calculateJwkThumbprint(published)
  const keys = { ...loaded, signing: { ...loaded.signing, kid } }
  const mountPath = new URL(settings.issuer).pathname.replace(/\/$/, '')
  const origins = settings.consoleUrls.map((url) => new URL(url).origin)
  // Host names that the sign-in accepts. Other names are refused, since a foreign page could resolve its own name to
  // this machine (DNS rebinding).
  const hostNames = new Set(['localhost', '127.0.0.1', '[::1]'])
  for (const url of [settings.issuer, ...settings.consoleUrls]) hostNames.add(new URL(url).hostname)

  const provider = new Provider(settings.issuer, configuration(settings, keys, mountPath, origins))
  const signIn = signInRoute(provider, mountPath, settings)
  const userInfo = userInfoRoute(settings, keys, origins)
  const font = readFileSync(
    fileURLToPath(import.meta.resolve(`@fontsource-variable/inter/files/${fontFile}`)),
  )
  provider.use((ctx, next) => {
    if (ctx.path.startsWith('/interaction/')) return signIn(ctx)
    if (ctx.path === '/me' && ctx.method !== 'OPTIONS') return userInfo(ctx)
    if (ctx.path !== `/${fontFile}`) return next()
    ctx.type = 'font/woff2'
    ctx.set('cache-control', 'public, max-age=86400')
    ctx.body = font
    return undefined
  })
  // The library's types omit the event that Koa emits for errors in the routes above.
  const events: EventEmitter = provider
  events.on('error', (error: unknown) => settings.onError?.(error))
  events.on('server_error', (_ctx: unknown, error: unknown) => settings.onError?.(error))
  const answer = provider.callback()
  const policy = contentSecurityPolicy(origins)

  return {
    jwks: { keys: [{ ...published, kid }] },
    handle(request, response) {
      if (!hostNames.has(URL.parse(`http://${request.headers.host}`)?.hostname ?? '')) {
        response
          .writeHead(421, { 'content-type': 'text/plain' })
          .end('The sign-in is not served under this name.\n')
        return
      }
      response.setHeader('content-security-policy', policy)
      response.setHeader('x-frame-options', 'DENY')
      response.setHeader('x-content-type-options', 'nosniff')
      response.setHeader('referrer-policy', 'no-referrer')
      response.setHeader('cache-control', 'no-store')
      const url = request.url ?? '/'
      const rest = url.slice(mountPath.length)
      // The library takes the prefix of its URLs from the difference between `originalUrl` and `url`.
      Object.assign(request, { originalUrl: url, url: rest.startsWith('/') ? rest : '/' })
      void answer(request, response)
    },
  }
}

/** Serves the sign-in page and handles its form. */
function signInRoute(provider: Provider, mountPath: string, settings: IdentitySettings) {
  const consoleUrl = settings.consoleUrls[0] ?? settings.issuer
  const failures = createFailureLimit()

  return async (ctx: Context): Promise<void> => {
    const { req, res } = ctx
    const finish = async (result: InteractionResults) => {
      const next = await provider.interactionResult(req, res, result)
      ctx.status = 303
      ctx.redirect(next)
    }
    const interaction = await provider.interactionDetails(req, res).catch((error: unknown) => {
      if (error instanceof SessionNotFound) return undefined
      throw error
    })
    if (!interaction || !ctx.path.endsWith(`/${interaction.uid}`)) {
      const text = 'It has been used, or was left open for too long. Start again from Data Store.'
      show(ctx, 400, noticePage({ title: 'This sign-in page has expired', text, consoleUrl }))
      return
    }
    // A client may ask for a consent page, but our own clients need no consent.
    if (interaction.prompt.name === 'consent') return finish({ consent: {} })

    const action = `${mountPath}${ctx.path}`
    if (ctx.method !== 'POST') {
      const hint = interaction.params['login_hint'] ?? interaction.session?.accountId
      show(ctx, 200, signInPage({ action, userName: typeof hint === 'string' ? hint.slice(0, 100) : '' }))
      return
    }
    const form = await readForm(req)
    const userName = (form?.get('username') ?? '').slice(0, 100)
    if (failures.tooMany(userName)) {
      ctx.set('retry-after', '60')
      show(ctx, 429, signInPage({ action, userName, error: 'Too many attempts. Try again in a minute.' }))
      return
    }
    const account = authenticate(userName, form?.get('password') ?? '')
    if (account) return finish({ login: { accountId: account.userName, amr: ['pwd'] } })
    failures.count(userName)
    show(ctx, 200, signInPage({ action, userName, error: 'User name or password is wrong' }))
  }
}

/**
 * Serves user info for the signed access tokens that our clients have. The library's own endpoint accepts only tokens
 * that are not for an API, which our clients never get.
 */
function userInfoRoute(settings: IdentitySettings, keys: IdentityKeys, origins: readonly string[]) {
  const { d: _private, ...publicKey } = keys.signing

  return async (ctx: Context): Promise<void> => {
    ctx.vary('origin')
    const origin = ctx.get('origin')
    if (origins.includes(origin)) ctx.set('access-control-allow-origin', origin)

    const refuse = (status: number, challenge: string) => {
      ctx.status = status
      ctx.set('www-authenticate', `Bearer ${challenge}`)
      ctx.body = { error: status === 401 ? 'invalid_token' : 'insufficient_scope' }
    }
    const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(ctx.get('authorization'))?.[1] ?? ''
    const verified = await jwtVerify(token, await importJWK(publicKey, signingAlgorithm), {
      issuer: settings.issuer,
      audience: settings.audience,
      algorithms: [signingAlgorithm],
      typ: 'at+jwt',
    }).catch(() => undefined)
    if (!verified) return refuse(401, 'error="invalid_token"')
    const { sub, scope } = verified.payload
    const granted = new Set(typeof scope === 'string' ? scope.split(' ') : [])
    const account = findAccount(sub ?? '')
    if (!account || !granted.has('openid')) {
      return refuse(403, 'error="insufficient_scope", scope="openid"')
    }
    const { email, ...profile } = claimsOf(account, settings.roleClaim)
    ctx.body = {
      sub,
      ...(granted.has('profile') ? profile : {}),
      ...(granted.has('email') ? { email } : {}),
    }
  }
}

/** Counts wrong passwords per user name and minute; all unknown names share one count. */
function createFailureLimit() {
  const failures = new Map<string, { count: number; untilMs: number }>()
  const key = (userName: string) => findAccount(userName.trim().toLowerCase())?.userName ?? ''
  const current = (userName: string) => {
    const entry = failures.get(key(userName))
    return entry && entry.untilMs > Date.now() ? entry : { count: 0, untilMs: Date.now() + 60_000 }
  }
  return {
    tooMany: (userName: string) => current(userName).count >= failuresPerMinute,
    count(userName: string) {
      const { count, untilMs } = current(userName)
      failures.set(key(userName), { count: count + 1, untilMs })
    },
  }
}

/** Reads the posted form fields; returns undefined if the body is not a form or is too large for the two fields. */
async function readForm(request: http.IncomingMessage): Promise<URLSearchParams | undefined> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) return undefined
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes > formBytes) return undefined
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

function show(ctx: Context, status: number, page: string): void {
  ctx.status = status
  ctx.type = 'html'
  ctx.body = page
}
