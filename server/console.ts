import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** What the console reads at its start from `config.json`, next to its `index.html`. */
export interface ConsoleSettings {
  readonly apiUrl: string
  readonly oidc: {
    readonly authority: string
    readonly clientId: string
    readonly scope: string
    readonly audience: string
    readonly roleClaim: string
  }
  readonly environment: { readonly name: string; readonly colour: string }
  readonly timeZone: string
}

export interface BuiltConsole {
  /** What `npm run build` made. */
  readonly folder: string
  /** Its public address; the console is served below the path of it. */
  readonly consoleUrl: string
  readonly settings: ConsoleSettings
}

/**
 * Serves the built console. Answers with a function for the addresses that no file has: it sends the page where the
 * address is one of the console's (the router knows it), and `undefined` where it is not.
 */
export async function serveConsole(
  app: FastifyInstance,
  options: BuiltConsole,
): Promise<(request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined> {
  const { folder, settings } = options
  const prefix = new URL(options.consoleUrl).pathname
  const headers = pageHeaders(settings)
  const file = path.join(folder, 'index.html')
  if (!existsSync(file)) throw new Error(`There is no console in ${folder}: run npm run build first.`)
  const page = readFileSync(file, 'utf8').replace('<base href="/" />', `<base href="${prefix}" />`)

  const sendPage = (reply: FastifyReply) =>
    reply.headers({ ...headers, 'content-type': 'text/html;charset=UTF-8' }).send(page)

  await app.register(fastifyStatic, {
    root: folder,
    prefix,
    index: false,
    preCompressed: true,
    cacheControl: false,
    allowedPath: (name) => name !== '/index.html' && name !== '/config.json',
    setHeaders: (reply, name) => {
      // Built files carry a hash of their content in their name.
      const hashed = name.includes(`${path.sep}assets${path.sep}`)
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      for (const header of ['pragma', 'expires', 'x-frame-options']) reply.removeHeader(header)
    },
  })
  app.get(prefix, (_request, reply) => sendPage(reply))
  app.get(`${prefix}config.json`, (_request, reply) => reply.headers(headers).send(settings))
  return (request, reply) => {
    const [pathname = ''] = request.url.split('?')
    const isPage = request.method === 'GET' && pathname.startsWith(prefix) && !/\.\w+$/.test(pathname)
    return isPage ? sendPage(reply.code(200)) : undefined
  }
}

/** A strict page: no inline code or style, no eval, no frame, DOM sinks closed by Trusted Types. */
function pageHeaders({ apiUrl, oidc }: ConsoleSettings): Record<string, string> {
  const elsewhere = [apiUrl, oidc.authority]
    .filter((url) => URL.canParse(url))
    .map((url) => new URL(url).origin)
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
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'cross-origin-resource-policy': 'same-origin',
  }
}
