import type { Endpoint } from '#contract/index.ts'
import { ApiError, readFailure } from './api-error.ts'
import {
  getConnection,
  hasBeenLetIn,
  noteLetIn,
  noteNoRole,
  queryString,
  requestOptions,
} from './connection.ts'
import type { Reasoned, Referenced } from './keyed-writes.ts'
import { lost, readAnswer } from './read-answer.ts'
import { wait } from './wait.ts'

export interface Written {
  /** Id of the written resource; undefined if no readable `Location` names it. */
  readonly id?: string
  /**
   * `created`: 201. `existed`: 303, because the resource already existed or was changed. `unknown-id`: written, but
   * the browser could not read `Location`, which a service of another origin has to expose; the caller then lists the
   * resources to find the new one.
   */
  readonly outcome: 'created' | 'existed' | 'unknown-id'
}

/** Preconditions of a write, for services that support them. */
export interface WriteConditions {
  /** Writes only if the resource is still as read with this `ETag`; otherwise 412. */
  readonly ifMatch?: string | undefined
  /** `*` writes only if the resource is not there yet; otherwise 412. */
  readonly ifNoneMatch?: '*' | undefined
  /** A write repeated with the same key is not done twice; the first response is returned again. */
  readonly idempotencyKey?: string | undefined
}

export interface Call extends WriteConditions, Reasoned, Referenced {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  /** File that the request streams; its type says what it is. */
  readonly upload?: Blob
  readonly signal?: AbortSignal
}

const timeoutMs = 15_000
const retryDelayMs = 300
/** Longest `Retry-After` that is waited for; a longer one is shown to the person. */
const patienceSeconds = 5

/** Whether the endpoint changes nothing, so that a request without a response may be sent again. */
export const isRead = ({ method, safe }: Endpoint) => method === 'GET' || safe === true

export async function run(endpoint: Endpoint, call: Call): Promise<unknown> {
  const connection = getConnection()
  const wasLetIn = hasBeenLetIn()
  const url = address(connection.apiUrl, endpoint, call)
  const isWrite = !isRead(endpoint)
  // A read is sent again after a network failure, 502, 503 or 504. A write is not: it may have happened.
  const attempt = () => send(endpoint, url, call)
  const response = await retryLimited(isWrite ? attempt : () => twice(attempt, call.signal), call.signal)
  if (isWrite) {
    const written = followRedirect(response, url)
    if (written) return written
  }
  if (!response.ok) {
    const failure = await readFailure(response, isWrite)
    if (failure.noRole) {
      // The role was given while this request was under way with the token from before. A 403 has done nothing.
      if (!wasLetIn && hasBeenLetIn() && connection === getConnection()) return run(endpoint, call)
      noteNoRole(connection, failure.noRole)
    }
    throw failure
  }
  if (endpoint.needs !== 'public' && endpoint.needs.length > 0) noteLetIn(connection)
  if (endpoint.file)
    return await response.blob().catch((cause: unknown) => {
      throw lost(cause, call.signal, false)
    })
  if (endpoint.reply) return readAnswer({ ...endpoint, reply: endpoint.reply }, response, call.signal)
  // The sign-in page of a captive portal is also a success, but not of the write.
  if (isWrite && response.headers.get('Content-Type')?.includes('html'))
    throw new ApiError({ status: response.status, code: 'unreadable', outcomeUnknown: true })
  if (!endpoint.status.some((status) => status === 201 || status === 303)) return undefined
  const id = lastSegment(response.headers.get('Location'))
  return (id === undefined ? { outcome: 'unknown-id' } : { id, outcome: 'created' }) satisfies Written
}

const timedOut = () => new DOMException('The service does not answer.', 'TimeoutError')

function address(apiUrl: string, endpoint: Endpoint, { params = {}, query = {} }: Call): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    // An empty id or "." would address the collection, and ".." its parent.
    if (value === undefined || /^\.{0,2}$/.test(value)) throw new ApiError({ status: 404, code: 'not_found' })
    return encodeURIComponent(value)
  })
  // An empty `next` sent back as an offset would be page one again, an endless loop; so empty values are left out.
  return apiUrl + path + queryString(query)
}

/** Sends a request, and repeats it with a fresh token after a 401. That has done nothing, so a write is repeated too. */
async function send(endpoint: Endpoint, url: string, call: Call): Promise<Response> {
  const { tokens, fetch: fetcher = fetch } = getConnection()
  const isWrite = !isRead(endpoint)
  const attempt = async (token: string | undefined) => {
    // A file takes as long as it takes; only its beginning is waited for.
    const begun = new AbortController()
    const timer = endpoint.file && setTimeout(() => begun.abort(timedOut()), timeoutMs)
    // The service limits how long an upload may take, and refuses one that arrives too slowly.
    const ownLimit = call.upload ? undefined : AbortSignal.timeout(timeoutMs)
    const timeout = timer === undefined ? ownLimit : begun.signal
    const headers = new Headers({ Accept: 'application/json' })
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
    if (call.body !== undefined) headers.set('Content-Type', 'application/json')
    if (call.upload) headers.set('Content-Type', call.upload.type || 'application/octet-stream')
    if (call.ifMatch !== undefined) headers.set('If-Match', call.ifMatch)
    if (call.ifNoneMatch !== undefined) headers.set('If-None-Match', call.ifNoneMatch)
    if (call.reason !== undefined) headers.set('Change-Reason', encodeURIComponent(call.reason))
    if (call.reference !== undefined) headers.set('Deletion-Reference', encodeURIComponent(call.reference))
    if (call.idempotencyKey !== undefined) headers.set('Idempotency-Key', call.idempotencyKey)
    try {
      return await fetcher(url, {
        ...requestOptions,
        method: endpoint.method,
        headers,
        body: call.upload ?? (call.body === undefined ? null : JSON.stringify(call.body)),
        signal: AbortSignal.any([call.signal, timeout].filter((each) => each !== undefined)),
      })
    } catch (cause) {
      throw lost(cause, call.signal, isWrite)
    } finally {
      clearTimeout(timer)
    }
  }
  if (endpoint.needs === 'public') return attempt(undefined)
  const token = await tokens.token()
  const response = await attempt(token)
  // After a redirect the refusal concerns the page redirected to; the write itself was done.
  if (response.status !== 401 || (isWrite && response.redirected)) return response
  return attempt(await tokens.tokenAfter(token))
}

/** Maximum number of attempts. A request over the limit per second succeeds in one of the following seconds. */
const maxAttempts = 4

/** Repeats a request refused by the rate limit (429). It was not processed, so a write may be repeated too. */
async function retryLimited(
  attempt: () => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  for (let attempts = 1; ; attempts += 1) {
    const response = await attempt()
    // After a redirect the refusal concerns the page redirected to; the write itself was done.
    if (response.status !== 429 || response.redirected || attempts === maxAttempts) return response
    const { retryAfterSeconds } = await readFailure(response.clone(), false)
    if (retryAfterSeconds === undefined || retryAfterSeconds > patienceSeconds) return response
    await wait(retryAfterSeconds * 1000 + retryDelayMs * Math.random(), signal)
  }
}

const passing = new Set([502, 503, 504])

async function twice(attempt: () => Promise<Response>, signal: AbortSignal | undefined): Promise<Response> {
  let delayMs = retryDelayMs * (1 + Math.random())
  try {
    const response = await attempt()
    if (!passing.has(response.status)) return response
    const { retryAfterSeconds } = await readFailure(response.clone(), false)
    if ((retryAfterSeconds ?? 0) > patienceSeconds) return response
    delayMs = Math.max(delayMs, (retryAfterSeconds ?? 0) * 1000)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'network') throw error
  }
  await wait(delayMs, signal)
  return attempt()
}

/**
 * The browser follows the 303 of a write itself and shows neither the status nor `Location`. A redirect to another
 * path means that the write was done, whatever the response there: another service may not know the singular path of
 * `Location` and return 404.
 */
function followRedirect(response: Response, requested: string): Written | undefined {
  if (!response.redirected) return undefined
  // A redirect to the same path (http to https, another host) is not the result of the write.
  const target = new URL(response.url).pathname
  if (target === new URL(requested).pathname) return undefined
  const id = lastSegment(target)
  return id === undefined ? { outcome: 'unknown-id' } : { id, outcome: 'existed' }
}

function lastSegment(location: string | null): string | undefined {
  const segment = location?.split(/[?#]/)[0]?.replace(/\/+$/, '').split('/').at(-1)
  try {
    return segment === undefined || segment === '' ? undefined : decodeURIComponent(segment)
  } catch {
    // Another service may send an id that cannot be decoded. The write was done nevertheless.
    return undefined
  }
}
