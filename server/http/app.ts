import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

import { dataTypes, eventStream, features, maxBodyBytes } from '#contract/index.ts'
import { changesetRoutes } from '../api/changesets.ts'
import { badRequest, headerTable } from './bare-problems.ts'
import { Connections } from './connections.ts'
import { type BuiltConsole, serveConsole } from './console.ts'
import type { Database } from '../store/database.ts'
import { entityRoutes } from '../api/entities.ts'
import { MissingKeyError } from '../sealing/encryption.ts'
import { erasureRoutes } from '../api/erasures.ts'
import type { SensitiveReads } from '../events/accesses.ts'
import { eventRoutes } from '../api/events.ts'
import { EventStreams } from '../events/stream.ts'
import { parseJson } from './json.ts'
import { missingMasters } from '../sealing/key-rotation.ts'
import { apiDocument, apiPage } from './openapi.ts'
import { asRefusal, keyMissing, problemBody, Refusal, unavailable } from './problem.ts'
import { SegmentCounts } from '../segments/counts.ts'
import { segmentRoutes } from '../api/segments.ts'
import { createRateLimits } from './rate-limits.ts'
import { type Authenticate, serveContract, serveEvents } from './serve.ts'
import type { Secrets } from '../sealing/secrets.ts'
import { userRoutes } from '../api/users.ts'
import { searchRoutes } from '../users/search.ts'
import { outboxAge } from '../webhooks/queue.ts'
import { webhookRoutes } from '../api/webhooks.ts'

/** What a script of another origin may read, beyond the body. */
const exposedHeaders = 'Location, Retry-After, WWW-Authenticate, Allow, ETag, Idempotency-Replayed'

/** The inbox of events is emptied several times a second. */
const maxOutboxAgeSeconds = 60

export interface AppSettings {
  readonly database: Database
  readonly authenticate: Authenticate
  readonly secrets: Secrets
  readonly inviteUrl: string
  /** Absent: the origin that the request came to, if that is this machine or the console's. */
  readonly baseUrl?: string | undefined
  readonly consoleUrl?: string
  readonly corsOrigins?: readonly string[]
  readonly additions?: 'all' | 'none'
  /** Requests of one caller in a second; absent or 0: any number. */
  readonly rateLimit?: number | undefined
  /** `reveal`: reads mask sensitive values for everybody. */
  readonly sensitiveReads?: SensitiveReads | undefined
  /** Webhooks may go to this machine itself: for development and tests. */
  readonly allowLoopback?: boolean
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
  const { database, log, elsewhere } = settings
  const additions = settings.additions !== 'none'
  const counts = new SegmentCounts(database)
  const streams = new EventStreams(database)
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
    if (error instanceof MissingKeyError)
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
  const readiness = async () => {
    await database.pool.query('select 1 from users limit 1')
    if ((await missingMasters(database.sql, database.keys.keyring)).length > 0) throw keyMissing()
    // Reading goes on, so it is ready; events wait with the changes that would bring more of them.
    if (database.isReadOnly()) return { status: 'read-only' }
    const outboxAgeSeconds = await outboxAge(database.sql)
    if (outboxAgeSeconds > maxOutboxAgeSeconds)
      throw unavailable('Events are not getting into the log. What they tell of is stored.')
    return { status: 'ok', outboxAgeSeconds }
  }
  // Nobody needs a token to ask, and there is no limit: all who ask meanwhile share one look at the store.
  let looking: Promise<object> | undefined
  app.get('/readyz', async () => {
    if (connections.draining) throw unavailable('The service is about to stop.')
    looking ??= readiness().finally(() => (looking = undefined))
    return await looking
  })

  if (settings.console) await serveConsole(app, settings.console)

  const baseUrl = (request: FastifyRequest) =>
    settings.baseUrl ?? `${request.protocol}://${ownHost(request, settings.consoleUrl)}/api`
  app.addHook('onClose', () => counts.close())
  app.addHook('preClose', () => streams.close())
  app.decorate('drain', async () => {
    // Streams would never end by themselves.
    await Promise.all([connections.drain(), streams.close()])
  })
  await app.register(
    (api, _options, done) => {
      api.setNotFoundHandler((request, reply) => answerError(unknownAddress, request, reply))
      const addresses = serveContract(
        api,
        {
          ...userRoutes({ ...settings, counts }),
          ...entityRoutes(settings),
          ...segmentRoutes({ ...settings, counts }),
          listDataTypes: () => ({ status: 200, body: [...dataTypes] }),
          ...eventRoutes({ database }),
          ...searchRoutes(settings),
          ...changesetRoutes(settings),
          ...erasureRoutes({ database }),
          ...webhookRoutes(settings),
          getCapabilities: () => ({ status: 200, body: { api: '1.5', features } }),
        },
        {
          database,
          authenticate: settings.authenticate,
          limits,
          secrets: settings.secrets,
          baseUrl,
          additions,
        },
      )
      if (additions) {
        addresses.push(eventStream.path, '/openapi.json', '/docs')
        serveEvents(api, { authenticate: settings.authenticate, limits }, (call) => streams.open(call))
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
