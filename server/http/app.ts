import { createHmac, type KeyObject, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

import { type EndpointName, eventStream, type Feature, maxBodyBytes } from '#contract/index.ts'
import { answerError, routeOf, traceOf, unknownAddress } from './answer-error.ts'
import { headerTable } from './bare-problems.ts'
import { refusalOfKind } from './body-kind.ts'
import { compressAnswers } from './compress.ts'
import { Connections } from './connections.ts'
import { type BuiltConsole, serveConsole, type UnknownPage } from './console.ts'
import { parseJson } from './json.ts'
import { apiDocument } from './openapi/openapi.ts'
import { apiPage } from './openapi/openapi-page.ts'
import { Refusal, unavailable } from './problem.ts'
import type { Figures, Metrics } from './metrics.ts'
import { createRateLimits } from './limits/rate-limits.ts'
import type { Authenticate, GuardOptions } from './guard.ts'
import { type Handlers, type OpenEvents, serveContract, serveEvents } from './serve.ts'
import type { Store } from '../store/store.ts'

/** Response headers that scripts of other origins may read. */
const exposedHeaders =
  'Location, Retry-After, WWW-Authenticate, Allow, ETag, Idempotency-Replayed, Property-Warnings'

/** Parts that the application serves. */
export interface Api {
  readonly store: Store
  /** Off: only what the API document has. */
  readonly additions: boolean
  /** Reply of `/capabilities`. */
  readonly features: Readonly<Partial<Record<Feature, number>>>
  /** Whether a change of a user's data needs a reason. */
  readonly changeReasons: 'optional' | 'required'
  /** Key of the fingerprints of writes with an `Idempotency-Key`. */
  readonly idempotencySecret: KeyObject
  /** Signs the tags of answers. */
  readonly etagSecret: KeyObject
  /** Key of the digests that stand for callers in the log, so that a reader of the log cannot try names on them. */
  readonly logSecret: KeyObject
  readonly handlers: Handlers<EndpointName>
  readonly openEvents: OpenEvents
  /** The body of `/readyz`; throws what makes the service not ready. */
  readonly readiness: () => Promise<object>
  readonly figures: () => Promise<Figures>
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
  readonly metrics?: Metrics | undefined
  readonly console?: BuiltConsole | undefined
  /** Takes a request that is not the API's (the development sign-in) and says so by answering true. */
  readonly elsewhere?: (request: IncomingMessage, response: ServerResponse) => boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * To be called before `close`, which cuts connections on which a request is arriving. Until `elsewhere`, when whoever
     * sends requests here has had time to read from `/readyz` that they are to go elsewhere, all are still accepted.
     */
    drain(elsewhere?: Promise<unknown>): Promise<void>
  }
}

/** The HTTP application: the API below `/api`, with `/livez` and `/readyz` beside it. */
export async function createApp(settings: AppSettings): Promise<FastifyInstance> {
  const { api: served, log, elsewhere } = settings
  const connections = new Connections()
  const answer = (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    answerError(error, request, reply, log)
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
      answer(error, request, reply)
    },
    // The connections answer what is not HTTP.
    clientErrorHandler: () => {},
  })
  app.setErrorHandler(answer)
  app.setNotFoundHandler((request, reply) => answer(unknownAddress, request, reply))
  setHeaders(app, settings.corsOrigins ?? [])
  let unknownPage: UnknownPage | undefined
  // Before a body is read: its type and its size do not matter here.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) done()
    else if (!unknownPage?.(request, reply)) done(unknownAddress)
  })
  if (log?.isLevelEnabled('info')) logAnswers(app, log, settings.api.logSecret)
  settings.metrics?.observe(app)
  readJson(app)
  const limits = await createRateLimits(app, settings.rateLimit ?? 0)
  // Behind the headers, which a refusal has too. Who supervises this service is always answered.
  const unlimited = new Set(['/livez', '/readyz'])
  app.addHook('onRequest', async (request) => {
    const { config, url = '' } = request.routeOptions
    if (!config?.needsToken && !unlimited.has(url)) await limits.withoutToken(request)
  })

  app.get('/livez', () => ({ status: 'ok' }))
  // Nobody needs a token to ask, and there is no limit: all who ask meanwhile share one look at the store.
  let looking: Promise<object> | undefined
  app.get('/readyz', async () => {
    if (connections.draining) throw unavailable('The service is stopping.')
    looking ??= served.readiness().finally(() => (looking = undefined))
    return await looking
  })

  if (settings.console) unknownPage = await serveConsole(app, settings.console, served.features)

  app.addHook('onClose', () => served.close())
  app.addHook('preClose', () => served.endStreams())
  app.decorate('drain', async (elsewhere?: Promise<unknown>) => {
    if (elsewhere) connections.announceEnd()
    await elsewhere
    await Promise.all([connections.drain(), served.endStreams()])
  })
  await app.register(
    (api, _options, done) => {
      api.setNotFoundHandler((request, reply) => answer(unknownAddress, request, reply))
      compressAnswers(api)
      serveApi(api, settings, { authenticate: settings.authenticate, limits })
      done()
    },
    { prefix: '/api' },
  )
  return app
}

function setHeaders(app: FastifyInstance, corsOrigins: readonly string[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headerTable)
    if (corsOrigins.length > 0) {
      const { origin } = request.headers
      reply.header('vary', 'Origin')
      if (origin !== undefined && corsOrigins.includes(origin))
        reply.headers({
          'access-control-allow-origin': origin,
          'access-control-expose-headers': exposedHeaders,
        })
    }
    done()
  })
}

function logAnswers(app: FastifyInstance, log: Logger, secret: KeyObject): void {
  app.addHook('onResponse', (request, reply, done) => {
    // By allow-list: a URL, a body or a header may be somebody's data; the route's template is not.
    log.info({
      request: request.id,
      ...traceOf(request),
      route: routeOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      subject: request.caller && digestSubject(secret, request.caller.subject),
    })
    done()
  })
}

function readJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const refusal = refusalOfKind(request.headers)
    if (refusal) return done(refusal)
    try {
      if (request.headers['idempotency-key'] !== undefined) request.rawBody = body as Buffer
      done(null, body.length === 0 ? undefined : parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

function serveApi(
  app: FastifyInstance,
  { api: served, baseUrl: address, consoleUrl }: AppSettings,
  guardOptions: GuardOptions,
): void {
  const baseUrl = (request: FastifyRequest) =>
    address ?? `${request.protocol}://${ownHost(request, consoleUrl)}/api`
  const addresses = serveContract(app, served.handlers, { ...served, ...guardOptions, baseUrl })
  if (served.additions) {
    addresses.push(eventStream.path, '/openapi.json', '/docs')
    serveEvents(app, guardOptions, served.openEvents)
    app.get('/openapi.json', (request, reply) =>
      reply.header('content-type', 'application/json;charset=UTF-8').send(apiDocument(baseUrl(request))),
    )
    app.get('/docs', (_request, reply) =>
      reply
        .headers({ 'content-type': 'text/html;charset=UTF-8', 'content-security-policy': apiPage.policy })
        .send(apiPage.html),
    )
  }
  for (const each of addresses) app.options(each, preflight)
}

function preflight(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (reply.hasHeader('access-control-allow-origin'))
    reply.headers({
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        'Authorization, Content-Type, Change-Reason, Deletion-Reference, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID',
      'access-control-max-age': '600',
    })
  return reply.code(204).header('content-length', '0').send('')
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

const digestSubject = (secret: KeyObject, subject: string) =>
  createHmac('sha256', secret).update(subject).digest('hex').slice(0, 12)
