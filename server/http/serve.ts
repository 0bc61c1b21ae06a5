import type { KeyObject } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { validate as isUuid } from 'uuid'
import type * as z from 'zod'

import {
  type Endpoint,
  type EndpointName,
  endpoints,
  eventStream,
  type PropertyWarning,
  type Query,
} from '#contract/index.ts'
import type { Transaction } from '../store/sql.ts'
import { searchesAtOnce, type Store } from '../store/store.ts'
import type { Caller } from './auth/caller.ts'
import { unknownAddress } from './errors/answer-error.ts'
import { isStopped, notFound, type Thing, tookTooLong } from './errors/problem.ts'
import { anonymous, guard, guardConfig, type GuardOptions, headerLines } from './guard.ts'
import type { Handler, Handlers } from './handler.ts'
import { readReasons } from './headers/deletion-reference.ts'
import { readIfMatch, requireMatch, requireMissing } from './headers/etag.ts'
import { runOnce, readKeyedWrite } from './headers/idempotency.ts'
import { propertyWarnings } from './headers/property-warnings.ts'
import { ConcurrencyLimit } from './limits/concurrency-limit.ts'
import { KeyedConcurrencyLimit } from './limits/keyed-concurrency-limit.ts'
import { countingLists, payloads } from './payload.ts'
import { receiveUpload, routeUpload } from './upload.ts'
import { badBody, badParameters, parseInput } from './validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Raw body of a request with an `Idempotency-Key`. */
    rawBody?: Buffer
    bodyBytes?: number
  }
}

/**
 * Limits concurrent transactions to two for each id that comes first in a path. Every change of a user, or of anything
 * they own, locks the user's row, so one transaction runs while the next one gets ready. The limit also applies to
 * other resources, such as a changeset to revert.
 */
function openTransactions({ sql }: Store) {
  const limit = new KeyedConcurrencyLimit({ atOnce: 2, waitMs: 10_000 })
  return <Result>(
    params: Readonly<Record<string, string>>,
    work: (transaction: Transaction) => Promise<Result>,
  ) => {
    const transact = () => sql.transaction().execute(work)
    const [named] = Object.values(params)
    return named === undefined ? transact() : limit.run(named, transact)
  }
}

/**
 * Expensive requests that one caller may run at once: half of `searchesAtOnce`, so that slots are left for other
 * callers.
 */
const expensiveOfSubject = 2
/**
 * Expensive requests of one caller that may wait: more than a console page sends at once, including requests that it
 * abandoned while the user typed.
 */
const expensiveWaiting = 14

/**
 * Limits how many `expensive` requests run at once, and refuses as `too_much_work` those whose statement the database
 * stopped.
 */
function limitExpensive() {
  const limit = new ConcurrencyLimit({
    atOnce: searchesAtOnce,
    ofSubject: expensiveOfSubject,
    waitingOfSubject: expensiveWaiting,
  })
  return <Result>(subject: string, reply: FastifyReply, work: () => Promise<Result>): Promise<Result> => {
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const limited = () =>
      work().catch((error: unknown) => {
        throw isStopped(error) ? tookTooLong() : error
      })
    return limit.run(subject, limited, gone.signal)
  }
}

/**
 * Registers a route for each offered endpoint of the contract (token, scopes, parameters, body, handler, answer). Returns
 * the methods of each path.
 */
export function serveContract(
  app: FastifyInstance,
  handlers: Handlers<EndpointName>,
  options: GuardOptions & {
    store: Store
    /** Key of the fingerprints that identify writes with an `Idempotency-Key`. */
    idempotencySecret: KeyObject
    etagSecret: KeyObject
    baseUrl: (request: FastifyRequest) => string
    /** Whether to serve more than the API document describes. */
    additions: boolean
    changeReasons: 'optional' | 'required'
  },
): Map<string, Set<string>> {
  const required = options.changeReasons === 'required'
  const transact = openTransactions(options.store)
  const inTurn = limitExpensive()
  const budget = options.limits.work
  const payload = payloads(budget, options.additions ? options.etagSecret : undefined)
  const offered = offeredNames(options.additions)
  for (const name of offered) {
    const endpoint: Endpoint = endpoints[name]
    const query = options.additions ? withAdditional(endpoint) : endpoint.query
    // The table types each handler exactly; this loop serves all of them and knows only their common shape.
    const handler = handlers[name] as unknown as Handler<Endpoint>
    const handle = countingLists(handler, budget)
    // An answer with a body (such as revealed values) is not stored for replay.
    const isKeyed = options.additions && endpoint.method !== 'GET' && !endpoint.reply && !endpoint.upload
    const unchanged = readConditions(endpoint, options.additions)

    const route: RouteOptions = {
      method: endpoint.method,
      url: urlOf(endpoint),
      config: guardConfig(endpoint),
      onRequest: guard(endpoint, options),
      handler: async (request, reply) => {
        const warnings: PropertyWarning[] = []
        const caller = request.caller ?? anonymous
        const keyed = isKeyed ? readKeyedWrite(request, caller.subject, options.idempotencySecret) : undefined
        const said = options.additions ? readReasons(endpoint, (name) => headerLines(request, name)) : {}
        const requireUnchanged = unchanged(request)
        const params = paramsOf(endpoint, request)
        const answering = async () =>
          handle({
            params,
            query: parseInput(query, request.query, badParameters) ?? {},
            body: budget.count(caller.subject, () =>
              parseInput(endpoint.body, request.body, badBody),
            ) as never,
            upload: (endpoint.upload && receiveUpload(request, endpoint.upload)) as never,
            caller,
            reason: { given: said.reason, required },
            reference: said.reference,
            baseUrl: options.baseUrl(request),
            write: (work) =>
              transact(params, async (transaction) => {
                const working = onlyIfMissing(endpoint, request, () => work(transaction))
                if (!keyed) return await working()
                const { answer, replayed } = await runOnce(transaction, keyed, working)
                if (replayed) reply.header('idempotency-replayed', 'true')
                return answer
              }),
            requireUnchanged,
            warn: (warning) => warnings.push(warning),
          })
        const answered = async () => {
          const answer = await (endpoint.expensive ? inTurn(caller.subject, reply, answering) : answering())
          reply.headers(propertyWarnings(warnings))
          return answer
        }
        return reply.send(await payload(request, reply, answered))
      },
    }
    if (endpoint.upload) routeUpload(app, route)
    else app.route(route)
  }
  return methodsOf(offered.map((name) => endpoints[name]))
}

/**
 * Makes `requireUnchanged` of a call from the headers of its request. A service without additions has no tags: it reads only
 * `If-None-Match: *`, and answers none.
 */
const readConditions = (endpoint: Endpoint, additions: boolean) => (request: FastifyRequest) => {
  const isConditional = endpoint.conditional && endpoint.method !== 'GET'
  const ifMatch = isConditional && additions ? readIfMatch(request.headers['if-match']) : undefined
  const onlyMissing = isConditional && asksForMissing(request)
  return (etag: () => string | undefined) => {
    if (ifMatch) requireMatch(ifMatch, etag())
    if (onlyMissing) requireMissing(etag() === undefined ? undefined : additions ? etag() : '')
    return ifMatch !== undefined && ifMatch !== '*'
  }
}

/**
 * Makes `If-None-Match: *` refuse the writes that compare no tag: where the work has found what it is about, that alone is the
 * reason, and the transaction is rolled back.
 */
function onlyIfMissing<Result>(
  { conditional, method }: Endpoint,
  request: FastifyRequest,
  work: () => Promise<Result>,
): () => Promise<Result> {
  if (conditional || method === 'POST' || !asksForMissing(request)) return work
  return async () => {
    const result = await work()
    requireMissing('')
    return result
  }
}

const asksForMissing = ({ headers }: FastifyRequest) => headers['if-none-match']?.trim() === '*'

function offeredNames(additions: boolean): EndpointName[] {
  return (Object.keys(endpoints) as EndpointName[]).filter((name) => {
    const { addition }: Endpoint = endpoints[name]
    return additions || !(addition ?? name === 'getCapabilities')
  })
}

const urlOf = ({ path }: Endpoint) => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Returns the methods that each path answers. */
function methodsOf(offered: readonly Endpoint[]): Map<string, Set<string>> {
  const methodsByPath = new Map<string, Set<string>>()
  for (const endpoint of offered) {
    const url = urlOf(endpoint)
    const methods = methodsByPath.get(url) ?? new Set(['OPTIONS'])
    methodsByPath.set(url, methods.add(endpoint.method))
    if (endpoint.method === 'GET') methods.add('HEAD')
  }
  return methodsByPath
}

export type OpenEvents = (call: {
  readonly query: Query<typeof eventStream>
  /** Id of the last event that the caller received from an earlier stream. */
  readonly lastEventId: string | undefined
  readonly caller: Caller
}) => Promise<Readable>

/**
 * Serves the event stream, the contract's only endless answer, behind the same guard. The stream is closed with the
 * connection.
 */
export function serveEvents(app: FastifyInstance, options: GuardOptions, open: OpenEvents): void {
  app.route({
    method: 'GET',
    url: eventStream.path,
    exposeHeadRoute: false,
    config: guardConfig(eventStream),
    onRequest: guard(eventStream, options),
    handler: async (request, reply) => {
      const lastEventId = request.headers['last-event-id']
      const events = await open({
        query: parseInput(eventStream.query, request.query, badParameters) as never,
        lastEventId: Array.isArray(lastEventId) ? lastEventId.join() : lastEventId,
        caller: request.caller ?? anonymous,
      })
      // Stops nginx from buffering events.
      reply.headers({ 'content-type': 'text/event-stream;charset=UTF-8', 'x-accel-buffering': 'no' })
      return reply.send(events)
    },
  })
}

/**
 * Returns the parameters of a path. Texts are checked by their schemas; an empty one at the end is refused, because
 * Fastify ignores a slash at the end, and it would address what the path before it does.
 */
function paramsOf(endpoint: Endpoint, { params, url }: FastifyRequest): Record<string, string> {
  const given = params as Record<string, string>
  if (!endpoint.texts) return idsOf(endpoint, given)
  if (/\/(?:\?|$)/.test(url)) throw unknownAddress
  return parseInput(endpoint.texts, given, badParameters) as Record<string, string>
}

/**
 * Returns the ids of a path in lower case. Throws a 404 about the resource that the path's last id names if any of the
 * ids is not a UUID.
 */
function idsOf({ path }: Endpoint, params: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(params)
  if (!named.every(([, id]) => isUuid(id))) throw notFound(/\{(\w+)_id\}[^{]*$/.exec(path)?.[1] as Thing)
  return Object.fromEntries(named.map(([name, id]) => [name, id.toLowerCase()]))
}

function withAdditional({ query, additionalQuery }: Endpoint): z.ZodObject | undefined {
  return query && additionalQuery ? query.extend(additionalQuery.shape) : (query ?? additionalQuery)
}
