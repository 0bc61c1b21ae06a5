import { Readable } from 'node:stream'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod'

import {
  errorCodes,
  type Body,
  type Endpoint,
  type EndpointName,
  type Endpoints,
  endpoints,
  eventStream,
  type Params,
  type Query,
  type ReplyInput,
} from '#contract/index.ts'
import { type Caller, requireScopes } from './caller.ts'
import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/sql.ts'
import { readIfMatch, requireMatch } from './etag.ts'
import { fingerprint, type KeyedWrite, once, readIdempotencyKey } from './idempotency.ts'
import { pointer } from './json.ts'
import { invalid, Refusal, type RefusalError } from './problem.ts'
import type { RateLimits } from './rate-limits.ts'

/** What a handler is given: everything checked, nothing of the transport. */
export interface Call<E extends Endpoint> {
  readonly params: Params<E>
  readonly query: Query<E>
  readonly body: Body<E>
  readonly caller: Caller
  /** {base_url} without a trailing slash, for `Location`. */
  readonly baseUrl: string
  /**
   * The one transaction of a write, with all that it reads for its decision. Each statement sees what others have
   * committed before it (READ COMMITTED); whatever is thrown undoes everything. A write that was sent before with the
   * same `Idempotency-Key` is not done again: its first answer comes back.
   */
  readonly write: (work: (transaction: Transaction) => Promise<Answer<E>>) => Promise<Answer<E>>
  /** Throws 412 where `If-Match` asks for another state than the one with this tag. Call it under the row's lock. */
  readonly requireUnchanged: (etag: () => string) => void
}

/**
 * What a handler answers. `json` is a body that the database has already written as JSON text; `list` one that is too
 * long to be held at once: an array, so many entries at a time, made when the client has taken those before.
 */
export type Answer<E extends Endpoint> =
  | { readonly status: 200; readonly body: ReplyInput<E>; readonly etag?: string }
  | { readonly status: 200; readonly json: string }
  | { readonly status: 200; readonly list: AsyncIterable<ListPart<ReplyInput<E>>> }
  | { readonly status: 201 | 303; readonly location: string }
  | { readonly status: 204 }

type ListPart<Reply> = Reply extends readonly unknown[] ? Reply : never

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Answer<E>> | Answer<E>

export type Handlers<Name extends EndpointName> = { readonly [Each in Name]: Handler<Endpoints[Each]> }

export type Authenticate = (authorization: readonly string[]) => Caller | Promise<Caller>

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read, on routes that need a token. */
    caller?: Caller
    /** The body as it came, of a request with an `Idempotency-Key`. */
    rawBody?: Buffer
  }
}

/**
 * Turns the contract table into routes: token, scopes, parameters, body, handler, answer; and 405 for the rest. Returns
 * their addresses.
 */
export function serveContract(
  app: FastifyInstance,
  handlers: Handlers<EndpointName>,
  options: {
    store: Store
    authenticate: Authenticate
    limits: RateLimits | undefined
    /** Of the fingerprints of writes that came with an `Idempotency-Key`. */
    idempotencySecret: Buffer
    baseUrl: (request: FastifyRequest) => string
    /** Off: only what the API document has. */
    additions: boolean
  },
): string[] {
  const methodsByPath = new Map<string, Set<string>>()
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const endpoint: Endpoint = endpoints[name]
    if (!options.additions && (endpoint.addition ?? name === 'getCapabilities')) continue
    const query = options.additions ? withAdditional(endpoint) : endpoint.query
    const url = endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1')
    const methods = methodsByPath.get(url) ?? new Set(['OPTIONS'])
    methodsByPath.set(url, methods.add(endpoint.method))
    if (endpoint.method === 'GET') methods.add('HEAD')
    // The table types each handler exactly; here, where one loop serves all of them, only the common shape is known.
    const handle = handlers[name] as unknown as Handler<Endpoint>
    // A write that answers with a body (values revealed, for example) is not kept for the next time.
    const isKeyed = options.additions && endpoint.method !== 'GET' && !endpoint.reply
    const isConditionalWrite = options.additions && endpoint.method !== 'GET' && endpoint.conditional

    app.route({
      method: endpoint.method,
      url,
      config: guarded(endpoint),
      onRequest: guard(endpoint, options),
      handler: async (request, reply) => {
        const caller = request.caller ?? anonymous
        const keyed = isKeyed ? keyedWrite(request, caller, options.idempotencySecret) : undefined
        const ifMatch = isConditionalWrite ? readIfMatch(request.headers['if-match']) : undefined
        const answer = await handle({
          params: request.params as never,
          query: read(query, request.query, badParameters) ?? {},
          body: read(endpoint.body, request.body, badBody) as never,
          caller,
          baseUrl: options.baseUrl(request),
          write: (work) =>
            options.store.sql.transaction().execute(async (transaction) => {
              if (!keyed) return await work(transaction)
              const { answer, replayed } = await once(transaction, keyed, () => work(transaction))
              if (replayed) reply.header('idempotency-replayed', 'true')
              return answer
            }),
          requireUnchanged: (etag) => {
            if (ifMatch) requireMatch(ifMatch, etag())
          },
        })
        if (options.additions && 'etag' in answer) reply.header('etag', answer.etag)
        return send(reply, answer)
      },
    })
  }
  for (const [url, allowed] of methodsByPath) {
    const allow = [...allowed].join(', ')
    app.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !allowed.has(method)),
      url,
      onRequest: () => {
        throw new Refusal('method_not_allowed', `This address answers ${allow}.`, { headers: { allow } })
      },
      handler: () => undefined,
    })
  }
  return [...methodsByPath.keys()]
}

export type OpenEvents = (call: {
  readonly query: Query<typeof eventStream>
  /** The last event that the caller got from a stream before this one. */
  readonly lastEventId: string | undefined
  readonly caller: Caller
}) => Promise<Readable>

/** The contract's answer that has no end, under the same guard. What is opened ends with the connection. */
export function serveEvents(
  app: FastifyInstance,
  options: Pick<Parameters<typeof serveContract>[2], 'authenticate' | 'limits'>,
  open: OpenEvents,
): void {
  app.route({
    method: 'GET',
    url: eventStream.path,
    exposeHeadRoute: false,
    config: guarded(eventStream),
    onRequest: guard(eventStream, options),
    handler: async (request, reply) => {
      const lastEventId = request.headers['last-event-id']
      const events = await open({
        query: read(eventStream.query, request.query, badParameters) as never,
        lastEventId: Array.isArray(lastEventId) ? lastEventId.join() : lastEventId,
        caller: request.caller ?? anonymous,
      })
      // nginx would gather some before it hands them on.
      reply.headers({ 'content-type': 'text/event-stream;charset=UTF-8', 'x-accel-buffering': 'no' })
      return reply.send(events)
    },
  })
}

const anonymous: Caller = { subject: '', scopes: new Set(), expires: 0 }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route asks for a token itself, and counts requests by it. */
    needsToken?: boolean
  }
}

const guarded = ({ needs }: Endpoint) => ({ needsToken: needs !== 'public' })

/** Runs before the body is read: who may not write does not get to send a megabyte first. */
function guard(
  endpoint: Endpoint,
  { authenticate, limits }: { authenticate: Authenticate; limits: RateLimits | undefined },
) {
  const { needs, query, additionalQuery } = endpoint
  if (needs === 'public') return async () => {}
  const isMaskable = 'sensitive' in { ...query?.shape, ...additionalQuery?.shape }
  const opensValues = (request: FastifyRequest, { scopes }: Caller) =>
    needs.includes('sensitive:read') ||
    (isMaskable &&
      scopes.has('sensitive:read') &&
      (request.query as { sensitive?: unknown }).sensitive !== 'masked')
  return async (request: FastifyRequest) => {
    let caller: Caller
    try {
      caller = await authenticate(authorizationHeaders(request.raw.rawHeaders))
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) await limits?.refusedToken(request)
      throw error
    }
    await limits?.ofCaller(request, caller, opensValues(request, caller))
    requireScopes(caller, needs)
    request.caller = caller
  }
}

/** All of them: `headers` keeps the first of two, and which one counts must not be a matter of chance. */
function authorizationHeaders(rawHeaders: readonly string[]): string[] {
  const found: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === 'authorization') found.push(rawHeaders[at + 1] ?? '')
  return found
}

function keyedWrite(request: FastifyRequest, caller: Caller, secret: Buffer): KeyedWrite | undefined {
  const key = readIdempotencyKey(request.headers['idempotency-key'])
  return key === undefined
    ? undefined
    : { subject: caller.subject, key, fingerprint: fingerprint(secret, request) }
}

function send(reply: FastifyReply, answer: Answer<Endpoint>): FastifyReply {
  reply.code(answer.status)
  if (answer.status === 200) {
    reply.header('content-type', 'application/json;charset=UTF-8')
    if ('list' in answer) {
      // Fastify would read all of it, as fast as it can, to answer with none of it.
      const parts = reply.request.method === 'HEAD' ? [] : listText(answer.list)
      return reply.send(Readable.from(parts, { objectMode: false }))
    }
    return reply.send('json' in answer ? answer.json : JSON.stringify(answer.body))
  }
  if ('location' in answer) reply.header('location', answer.location)
  // The API document has a length of `0` on every response without a body. Fastify drops it from a 204, where RFC 9110
  // wants none, unless it is set below it; clients take it (Chromium, curl, undici).
  reply.raw.setHeader('content-length', '0')
  return reply.send()
}

async function* listText(parts: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let before = '['
  for await (const part of parts) {
    if (part.length === 0) continue
    yield before + part.map((entry) => JSON.stringify(entry)).join()
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

function withAdditional({ query, additionalQuery }: Endpoint): z.ZodObject | undefined {
  return query && additionalQuery ? query.extend(additionalQuery.shape) : (query ?? additionalQuery)
}

function read(
  schema: z.ZodType | undefined,
  value: unknown,
  refuse: (error: z.ZodError, value: unknown) => Refusal,
): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value)
  if (!result.success) throw refuse(result.error, value)
  return result.data
}

function badParameters(error: z.ZodError): Refusal {
  const errors = error.issues.map((issue) => ({
    pointer: '',
    parameter: String(issue.path[0] ?? ''),
    code: 'invalid_parameter' as const,
    detail: issue.message,
  }))
  return new Refusal('invalid_parameter', 'A query parameter is not acceptable.', { errors })
}

function badBody(error: z.ZodError, value: unknown): Refusal {
  if (value === undefined)
    return new Refusal('invalid_json', 'Send a JSON body; {} where there is nothing to say.')
  return invalid(error.issues.flatMap(bodyErrors))
}

/** A zod issue as problem errors. Messages of the contract name the rule, never the value. */
function bodyErrors(issue: z.core.$ZodIssue): RefusalError[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      pointer: pointer([...issue.path, key]),
      code: 'unknown_field',
      detail: 'There is no such field here; leave it out.',
    }))
  const own = issue.code === 'custom' ? issue.params?.code : undefined
  const code = errorCodes.find((each) => each === own) ?? 'invalid'
  return [{ pointer: pointer(issue.path), code, detail: issue.message }]
}
