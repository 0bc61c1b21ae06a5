import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

import { type EndpointName, eventStream, maxBodyBytes } from '#contract/index.ts'
import { badRequest, headerTable } from './bare-problems.ts'
import { Connections } from './connections.ts'
import { type BuiltConsole, serveConsole } from './console.ts'
import { parseJson } from './json.ts'
import { apiDocument, apiPage } from './openapi.ts'
import { asRefusal, missingKeyCode, problemBody, Refusal, unavailable } from './problem.ts'
import { createRateLimits } from './rate-limits.ts'
import { type Authenticate, type Handlers, type OpenEvents, serveContract, serveEvents } from './serve.ts'
import type { Store } from '../store/store.ts'

/** What a script of another origin may read, beyond the body. */
const exposedHeaders = 'Location, Retry-After, WWW-Authenticate, Allow, ETag, Idempotency-Replayed'

/** What the application serves. */
export interface Api {
  readonly store: Store
  /** Off: only what the API document has. */
  readonly additions: boolean
  /** Of the fingerprints of writes that came with an `Idempotency-Key`. */
  readonly idempotencySecret: Buffer
  readonly handlers: Handlers<EndpointName>
  readonly openEvents: OpenEvents
  /** The body of `/readyz`; throws what makes the service not ready. */
  readonly readiness: () => Promise<object>
  /** Ends the streams of events, which would never end by themselves. */
  readonly endStreams: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface AppSettings {
  readonly api: Api
  readonly authenticate: Authenticate
  /** Absent: the origin that the request came to, if that is this machine or the console's. */
  readonly baseUrl?: string | undefined
  readonly consoleUrl?: string
  readonly corsOrigins?: readonly string[]
  /** Requests of one caller in a second; absent or 0: any number. */
  readonly rateLimit?: number | undefined
  readonly log?: Logger | undefined
  readonly console?: BuiltConsole | undefined
  /** Takes a request that is not the API's (the development sign-in) and says so by answering true. */
  readonly elsewhere?: (request: IncomingMessage, response: ServerResponse) => boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    /** To be called before `close`, which cuts connections on which a request is arriving. */
    drain(): Promise<void>
  }
}

/** The HTTP application: the API below `/api`, with `/livez` and `/readyz` beside it. */
export async function createApp(settings: AppSettings): Promise<FastifyInstance> {
  const { api: served, log, elsewhere } = settings
  const connections = new Connections()
  const app = Fastify({
    logger: false,
    genReqId: () => randomUUID(),
    bodyLimit: maxBodyBytes,
    forceCloseConnections: 'idle',
    // `Location` is singular in the API document while the paths are plural; a followed redirect has to land.
    rewriteUrl: (request) => (request.url ?? '/').replace(/^\/api\/user\/(?=[^/?])/, '/api/users/'),
    // An id of any length is looked for: headers end at 16 KB.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
    serverFactory: (handler) =>
      connections.createServer((request, response) => {
        if (!elsewhere?.(request, response)) handler(request, response)
      }),
    frameworkErrors: (error, request, reply) => {
      answerError(error, request, reply)
    },
    // The connections answer what is not HTTP.
    clientErrorHandler: () => {},
  })

  function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    let refusal = asRefusal(error) ?? frameworkRefusal(error)
    if (error instanceof Error && 'code' in error && error.code === missingKeyCode)
      log?.error({ request: request.id, route: routeOf(request) }, error.message)
    const bug = refusal ? refusal.cause : error
    if (bug !== undefined)
      log?.error({ request: request.id, route: routeOf(request), stack: stackWithoutMessage(bug) })
    if (!refusal) {
      refusal = new Refusal(
        'internal',
        'Something went wrong on our side. Quote the request id to report it.',
      )
    }
    return reply
      .code(refusal.status)
      .headers({ ...headerTable, ...refusal.headers, 'content-type': 'application/json;charset=UTF-8' })
      .serializer(String)
      .send(problemBody(refusal, request.id))
  }
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => answerError(unknownAddress, request, reply))

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headerTable)
    if (settings.corsOrigins?.length) {
      const { origin } = request.headers
      reply.header('vary', 'Origin')
      if (origin !== undefined && settings.corsOrigins.includes(origin))
        reply.headers({
          'access-control-allow-origin': origin,
          'access-control-expose-headers': exposedHeaders,
        })
    }
    // Before a body is read: its type and its size do not matter here.
    done(request.is404 ? unknownAddress : undefined)
  })
  if (log?.isLevelEnabled('info'))
    app.addHook('onResponse', (request, reply, done) => {
      // By allow-list: a URL, a body or a header may be somebody's data; the route's template is not.
      log.info({
        request: request.id,
        route: routeOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        subject: request.caller && hashed(request.caller.subject),
      })
      done()
    })

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      if (request.headers['idempotency-key'] !== undefined) request.rawBody = body as Buffer
      done(null, body.length === 0 ? undefined : parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })

  const limits = settings.rateLimit ? await createRateLimits(app, settings.rateLimit) : undefined
  // Behind the headers, which a refusal has too. Who supervises this service is always answered.
  const unlimited = new Set(['/livez', '/readyz'])
  if (limits)
    app.addHook('onRequest', async (request) => {
      const { config, url = '' } = request.routeOptions
      if (!config?.needsToken && !unlimited.has(url)) await limits.withoutToken(request)
    })

  app.get('/livez', () => ({ status: 'ok' }))
  // Nobody needs a token to ask, and there is no limit: all who ask meanwhile share one look at the store.
  let looking: Promise<object> | undefined
  app.get('/readyz', async () => {
    if (connections.draining) throw unavailable('The service is about to stop.')
    looking ??= served.readiness().finally(() => (looking = undefined))
    return await looking
  })

  if (settings.console) await serveConsole(app, settings.console)

  const baseUrl = (request: FastifyRequest) =>
    settings.baseUrl ?? `${request.protocol}://${ownHost(request, settings.consoleUrl)}/api`
  app.addHook('onClose', () => served.close())
  app.addHook('preClose', () => served.endStreams())
  app.decorate('drain', async () => {
    await Promise.all([connections.drain(), served.endStreams()])
  })
  await app.register(
    (api, _options, done) => {
      api.setNotFoundHandler((request, reply) => answerError(unknownAddress, request, reply))
      const { store, additions, idempotencySecret, handlers } = served
      const { authenticate } = settings
      const addresses = serveContract(api, handlers, {
        store,
        authenticate,
        limits,
        idempotencySecret,
        baseUrl,
        additions,
      })
      if (additions) {
        addresses.push(eventStream.path, '/openapi.json', '/docs')
        serveEvents(api, { authenticate, limits }, served.openEvents)
        api.get('/openapi.json', (request, reply) =>
          reply.header('content-type', 'application/json;charset=UTF-8').send(apiDocument(baseUrl(request))),
        )
        api.get('/docs', (_request, reply) =>
          reply
            .headers({ 'content-type': 'text/html;charset=UTF-8', 'content-security-policy': apiPage.policy })
            .send(apiPage.html),
        )
      }
      const preflight = (_request: FastifyRequest, reply: FastifyReply) => {
        if (reply.hasHeader('access-control-allow-origin'))
          reply.headers({
            'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
            'access-control-allow-headers':
              'Authorization, Content-Type, If-Match, Idempotency-Key, Last-Event-ID',
            'access-control-max-age': '600',
          })
        return reply.code(204).header('content-length', '0').send('')
      }
      for (const address of addresses) api.options(address, preflight)
      done()
    },
    { prefix: '/api' },
  )
  return app
}

/** Names of this machine to itself. Any other name is a matter of the settings: a client may write what it likes. */
const isLoopback = (host: string) =>
  /^(([\w-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i.test(host)

function ownHost({ host }: FastifyRequest, consoleUrl: string | undefined): string {
  if (isLoopback(host) || (consoleUrl !== undefined && host === new URL(consoleUrl).host)) return host
  throw new Refusal(
    'invalid_host',
    'The Host header names neither this machine nor the console. Where the service has a public address, its setting BASE_URL says so.',
  )
}

const routeOf = (request: FastifyRequest) => `${request.method} ${request.routeOptions?.url ?? 'unknown'}`

const hashed = (subject: string) => createHash('sha256').update(subject).digest('hex').slice(0, 12)

const unknownAddress = new Refusal('unknown_address', 'There is nothing at this address.')

/** Fastify's own refusals, in our words: its messages may quote the request. */
function frameworkRefusal(error: unknown): Refusal | undefined {
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number }
  if (statusCode === 413)
    return new Refusal(
      'body_too_large',
      `The body is larger than ${maxBodyBytes.toLocaleString('en')} bytes.`,
    )
  if (statusCode === 415)
    return new Refusal('unsupported_media_type', 'Send the body as Content-Type: application/json.')
  if (code === 'FST_ERR_ROUTE_MISSING_HANDLER' || statusCode === 404) return unknownAddress
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500 ? badRequest : undefined
}

/** A driver's message may hold a value; the frames do not. */
function stackWithoutMessage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  const code = 'code' in error ? ` ${String(error.code)}` : ''
  return [`${error.name}${code}`, ...(frames ?? [])].join('\n')
}
