import { createHmac, type KeyObject, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

import { type EndpointName, eventStream, type Feature, maxBodyBytes } from '#contract/index.ts'
import type { Store } from '../store/store.ts'
import { apiPagePaths, serveApiPage } from './api-page.ts'
import { requireScopes } from './auth/caller.ts'
import { refusalOfKind } from './body-kind.ts'
import { compressAnswers } from './compress.ts'
import { Connections } from './connections.ts'
import { type BuiltConsole, serveConsole, type UnknownPage } from './console.ts'
import { answerError, routeOf, traceOf, unknownAddress } from './errors/answer-error.ts'
import { headerTable } from './errors/bare-problems.ts'
import { Refusal, unavailable } from './errors/problem.ts'
import type { Authenticate, GuardOptions } from './guard.ts'
import type { Handlers } from './handler.ts'
import { parseJson } from './json.ts'
import { createRateLimits, type RateLimits } from './limits/rate-limits.ts'
import { answerMethods } from './methods.ts'
import type { Figures, Metrics } from './metrics.ts'
import { apiDocument } from './openapi.ts'
import { type OpenEvents, serveContract, serveEvents } from './serve.ts'

/** Response headers that scripts of other origins may read. */
const exposedHeaders =
  'Location, Retry-After, WWW-Authenticate, Allow, ETag, Idempotency-Replayed, Property-Warnings'

/** Parts of the service that the application exposes over HTTP. */
export interface Api {
  readonly store: Store
  /** Whether endpoints beyond the API document are available. */
  readonly additions: boolean
  /** `features` in the body of `/capabilities`. */
  readonly features: Readonly<Partial<Record<Feature, number>>>
  /** Whether a change of a user's data requires a reason. */
  readonly changeReasons: 'optional' | 'required'
  /** Key for the fingerprints of writes with an `Idempotency-Key`. */
  readonly idempotencySecret: KeyObject
  /** Key for entity tags. */
  readonly etagSecret: KeyObject
  /** Key for the digests that represent callers in the log, so that a reader of the log cannot try names on them. */
  readonly logSecret: KeyObject
  readonly handlers: Handlers<EndpointName>
  readonly openEvents: OpenEvents
  /** Returns the body of `/readyz`; throws if the service is not ready. */
  readonly readiness: () => Promise<object>
  readonly figures: () => Promise<Figures>
  /** Ends the event streams, which would otherwise never end. */
  readonly endStreams: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface AppSettings {
  readonly api: Api
  readonly authenticate: Authenticate
  /** Public address of the API; undefined: the origin of the request, if that is this machine or the console's. */
  readonly baseUrl?: string | undefined
  readonly consoleUrl?: string
  readonly corsOrigins?: readonly string[]
  /** Requests per second for each caller; undefined or 0 means unlimited. */
  readonly rateLimit?: number | undefined
  readonly log?: Logger | undefined
  readonly metrics?: Metrics | undefined
  readonly console?: BuiltConsole | undefined
  /** Handles a request to the development sign-in or the development console; returns false for any other. */
  readonly elsewhere?: (request: IncomingMessage, response: ServerResponse) => boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Stops the application gracefully. Call it before `close`, which cuts connections with an arriving request. All
     * requests are accepted until `elsewhere` resolves, by which time proxies have learned from `/readyz` to route
     * them elsewhere.
     */
    drain(elsewhere?: Promise<unknown>): Promise<void>
  }
}

/** Creates the HTTP application: the API below `/api`, with `/livez` and `/readyz` beside it. */
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
    // The API document's `Location` is singular while its paths are plural; this makes a followed redirect work.
    rewriteUrl: (request) => (request.url ?? '/').replace(/^\/api\/user\/(?=[^/?])/, '/api/users/'),
    // Allows ids of any length: Node refuses a request whose headers exceed 16 KB.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
    serverFactory: (handler) =>
      connections.createServer((request, response) => {
        if (!elsewhere?.(request, response)) handler(request, response)
      }),
    frameworkErrors: (error, request, reply) => {
      answer(error, request, reply)
    },
    // `Connections` answers input that is not HTTP.
    clientErrorHandler: () => {},
  })
  app.setErrorHandler(answer)
  app.setNotFoundHandler((request, reply) => answer(unknownAddress, request, reply))
  setHeaders(app, settings.corsOrigins ?? [])
  let unknownPage: UnknownPage | undefined
  let refuseMethod: ReturnType<typeof answerMethods> | undefined
  if (log?.isLevelEnabled('info')) logAnswers(app, log, settings.api.logSecret)
  settings.metrics?.observe(app)
  const limits = await createRateLimits(app, settings.rateLimit ?? 0)
  readJson(app, limits)
  // Registered after the header hooks, so that refusals carry the headers too. Health checks are never limited.
  const unlimited = new Set(['/livez', '/readyz'])
  app.addHook('onRequest', async (request) => {
    const { config, url = '' } = request.routeOptions
    if (!config?.needsToken && !unlimited.has(url)) await limits.withoutToken(request)
  })
  // Runs before the body is read: its type and size do not matter for an unknown address.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) done()
    else if (!unknownPage?.(request, reply)) done(refuseMethod?.(request) ?? unknownAddress)
  })

  app.get('/livez', () => ({ status: 'ok' }))
  // Needs no token and has no limit, so concurrent requests share one check of the store.
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
      refuseMethod = serveApi(api, settings, { authenticate: settings.authenticate, limits })
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
    // Logs an allow-list of fields: a URL, a body or a header may hold personal data; the route's template does not.
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

function readJson(app: FastifyInstance, { work }: RateLimits): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const refusal = refusalOfKind(request.headers)
      if (refusal) throw refusal
      const { caller } = request
      // No endpoint that needs no token has a body.
      if (!caller || body.length === 0) return undefined
      request.bodyBytes = body.length
      if (request.headers['idempotency-key'] !== undefined) request.rawBody = body
      const { memberNeeds = {} } = request.routeOptions.config
      const onMember = (name: string) => {
        if (Object.hasOwn(memberNeeds, name)) requireScopes(caller, memberNeeds[name] ?? [])
      }
      return await work.read(caller.subject, () => parseJson(body, onMember))
    },
  )
}

function serveApi(
  app: FastifyInstance,
  { api: served, baseUrl: address, consoleUrl }: AppSettings,
  guardOptions: GuardOptions,
) {
  const baseUrl = (request: FastifyRequest) =>
    address ?? `${request.protocol}://${ownHost(request, consoleUrl)}/api`
  const methods = serveContract(app, served.handlers, { ...served, ...guardOptions, baseUrl })
  if (served.additions) {
    methods.set(eventStream.path, new Set(['OPTIONS', 'GET']))
    for (const path of ['/openapi.json', ...apiPagePaths])
      methods.set(path, new Set(['OPTIONS', 'GET', 'HEAD']))
    serveEvents(app, guardOptions, served.openEvents)
    app.get('/openapi.json', (request, reply) =>
      reply.header('content-type', 'application/json;charset=UTF-8').send(apiDocument(baseUrl(request))),
    )
    serveApiPage(app)
  }
  return answerMethods(app, methods)
}

/** Whether a host is a local name. All other names must be in the settings: a client can send any. */
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
