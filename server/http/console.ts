import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { pages } from '#contract/index.ts'
import { chooseCoding } from './compress.ts'
import { isKnown } from './headers/etag.ts'

/** Settings that the console reads at startup, from its page or else from `config.json` beside it. */
export interface ConsoleSettings {
  readonly apiUrl: string
  readonly oidc: {
    readonly authority: string
    readonly clientId: string
    readonly scope: string
    readonly audience: string
    readonly roleClaim: string
    readonly roleMap?: Readonly<Record<string, string>> | undefined
  }
  readonly environment: { readonly name: string; readonly colour: string }
  readonly timeZone: string
  readonly session: 'tab' | 'memory'
}

export interface BuiltConsole {
  /** Output folder of `npm run build`. */
  readonly folder: string
  /** Public address of the console, which is served below its path. */
  readonly consoleUrl: string
  readonly settings: ConsoleSettings
  /** Returns the issuer's metadata (OpenID Connect Discovery), as far as it is known. */
  readonly provider: () => Readonly<Record<string, unknown>> | undefined
}

/** Paths below the console's own at which its page is served: the root, and all pages. */
export const consoleAddresses = ['', ...Object.values(pages).map(({ path: address }) => address.slice(1))]

/** Paths that the sign-in returns the browser to. The console handles them before its router starts. */
const signInAddresses = ['signed-in', 'signed-in/popup']

/**
 * Serves the built console: its files, and to clients that accept HTML its page at each of its addresses. `features`
 * are those that `/capabilities` names. Returns the handler that shows the page for unknown addresses.
 */
export async function serveConsole(
  app: FastifyInstance,
  options: BuiltConsole,
  features: Readonly<Record<string, number>>,
): Promise<UnknownPage> {
  const { folder, settings } = options
  const { pathname: prefix, protocol } = new URL(options.consoleUrl)
  /**
   * Binds browsers to https only where the console is served so. `preload`, which the API document has for answers of
   * the API, would bind the whole domain for good if somebody submitted this address to the browsers' lists.
   */
  const setTransport = (reply: Pick<FastifyReply, 'header' | 'removeHeader'>) => {
    if (protocol === 'https:')
      reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
    else reply.removeHeader('strict-transport-security')
  }
  const page = pageMaker(readBuiltPage(folder), prefix, () => ({
    settings,
    features,
    provider: options.provider(),
  }))

  await app.register(fastifyStatic, {
    root: folder,
    prefix,
    // Registers a route for each file, so that all other paths are unknown. Names that begin with a dot describe the
    // build (`.built-from`, Vite's manifest) and are not served.
    wildcard: false,
    serveDotFiles: false,
    globIgnore: ['index.html', 'config.json', '**/*.{br,gz}'],
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, name) => {
      // The names of built files contain a hash of their content.
      const hashed = name.includes(`${path.sep}assets${path.sep}`)
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      for (const header of ['pragma', 'expires']) reply.removeHeader(header)
      setTransport(reply)
    },
  })
  app.get(`${prefix}config.json`, (_request, reply) => {
    setTransport(reply.headers(page().headers))
    return reply.send(settings)
  })
  const send = (request: FastifyRequest, reply: FastifyReply) => {
    const { html, packed, etag, headers } = page()
    const isPacked = chooseCoding(request.headers['accept-encoding'], ['gzip']) !== undefined
    setTransport(reply.headers({ ...headers, vary: 'accept-encoding' }))
    // A strong tag would claim that the compressed and the plain page have the same bytes. A page for an unknown
    // address gets no tag.
    if (reply.statusCode === 200) {
      reply.header('etag', isPacked ? `W/${etag}` : etag)
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    }
    reply.header('content-type', 'text/html;charset=UTF-8')
    return isPacked ? reply.header('content-encoding', 'gzip').send(packed) : reply.send(html)
  }
  for (const address of [...consoleAddresses, ...signInAddresses])
    app.get(`${prefix}${address}`, (request, reply) => {
      if (!takesHtml(request.headers.accept)) return reply.callNotFound()
      return send(request, reply)
    })
  return (request, reply) => (isOfPerson(request, prefix) ? send(request, reply.code(404)) : undefined)
}

/**
 * Answers an unknown address with the console's page; returns undefined if the client is no browser, or for a path
 * outside the console.
 */
export type UnknownPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/**
 * Whether a browser navigates to an address below the console's path and outside the API. Only navigation names HTML
 * in `Accept`; requests for scripts and images do not.
 */
function isOfPerson({ method, url, headers: { accept = '' } }: FastifyRequest, prefix: string): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    url.startsWith(prefix) &&
    !/^\/api([/?]|$)/.test(url) &&
    accept.split(',').some((range) => /^\s*text\/html\s*(;(?!\s*q=0(\.0*)?\s*$).*)?$/i.test(range))
  )
}

interface AskedFirst {
  readonly settings: ConsoleSettings
  readonly features: Readonly<Record<string, number>>
  readonly provider: Readonly<Record<string, unknown>> | undefined
}

interface MadePage {
  readonly prefetched: string
  readonly html: string
  readonly packed: Buffer
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
}

/** Reads the built page. If it is missing, throws an error that tells the operator what to do. */
export function readBuiltPage(folder: string): string {
  const file = path.join(folder, 'index.html')
  if (!existsSync(file)) throw new Error(`There is no console in ${folder}: run npm run build first.`)
  return readFileSync(file, 'utf8')
}

/**
 * Creates the page with a data block of everything that the console requests first: its settings, the service's
 * features and the issuer's metadata. Contains no personal data.
 */
function pageMaker(built: string, prefix: string, askedFirst: () => AskedFirst) {
  let made: MadePage | undefined
  return () => {
    const asked = askedFirst()
    // A "<" could end the data block.
    const prefetched = JSON.stringify(asked).replaceAll('<', '\\u003c')
    if (made?.prefetched !== prefetched) {
      const headers = pageHeaders(asked)
      const html = built.replace(
        '<base href="/" />',
        () =>
          `<base href="${prefix}" />\n    <script type="application/json" id="prefetched">${prefetched}</script>`,
      )
      // Includes the headers: a browser keeps those of its cached page.
      const digest = createHash('sha256').update(html).update(JSON.stringify(headers)).digest('base64url')
      made = { prefetched, html, packed: gzipSync(html), etag: `"${digest}"`, headers }
    }
    return made
  }
}

/** Whether a client accepts HTML. Browsers that navigate name text/html; fetch and curl accept anything. */
function takesHtml(accept = '*/*'): boolean {
  return accept.split(',').some((range) => /^\s*(text\/html|text\/\*|\*\/\*)\s*(;|$)/i.test(range))
}

/** Issuer endpoints that the console calls besides discovery; some providers host them on other origins. */
const askedEndpoints = ['token_endpoint', 'userinfo_endpoint', 'end_session_endpoint'] as const

/** Returns the origin of a URL, safe for a policy: whatever the issuer sends, only an origin is added. */
function originOf(url: unknown): string[] {
  const { origin } = (typeof url === 'string' && URL.parse(url)) || {}
  return origin !== undefined && /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? [origin] : []
}

/** Returns strict page headers: no inline code or style, no eval, no frames, DOM sinks closed by Trusted Types. */
function pageHeaders({ settings, provider }: AskedFirst): Record<string, string> {
  const endpoints = askedEndpoints.map((name) => provider?.[name])
  const elsewhere = [settings.apiUrl, settings.oidc.authority, ...endpoints].flatMap(originOf)
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    `connect-src ${["'self'", ...new Set(elsewhere)].join(' ')}`,
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    // The console creates no Trusted Types policy, and no other code may.
    "trusted-types 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'cross-origin-opener-policy': 'same-origin',
  }
}
