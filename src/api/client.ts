import type { Endpoint } from '#contract/index.ts'

import { ApiError, readFailure } from './api-error.ts'
import { connected, noteLetIn, noteNoRole } from './connection.ts'
import type { Reasoned, Referenced } from './keyed-writes.ts'
import { lost, readAnswer } from './read-answer.ts'
import { wait } from './wait.ts'

/** Outcome of a write. */
export interface Written {
  /** Id of the written resource; absent where no readable `Location` names it. */
  readonly id?: string
  /**
   * `created`: 201. `existed`: 303, because the resource was there already, or was changed there. `unknown-id`: written, but
   * the browser could not read `Location`, which a service of another origin has to expose; the caller lists the
   * resources to find the new one.
   */
  readonly outcome: 'created' | 'existed' | 'unknown-id'
}

/** Preconditions of a write, for services that support them. */
export interface WriteConditions {
  /** Only if the thing is still as it was read with this `ETag`; else 412. */
  readonly ifMatch?: string | undefined
  /** A write that is sent again with the same key is not done twice, but answered as it was the first time. */
  readonly idempotencyKey?: string | undefined
}

export interface Call extends WriteConditions, Reasoned, Referenced {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

const timeoutMs = 15_000
const retryDelayMs = 300
/** A longer `Retry-After` than this is told to the person instead of waited for. */
const patienceSeconds = 5

/** Whether the endpoint changes nothing, so that a request without an answer may be sent again. */
const isRead = ({ method, safe }: Endpoint) => method === 'GET' || safe === true

export async function run(endpoint: Endpoint, call: Call): Promise<unknown> {
  const asked = connected()
  const url = address(asked.apiUrl, endpoint, call)
  const isWrite = !isRead(endpoint)
  // Reads may be repeated, writes never: after a lost answer nobody knows whether they happened.
  const attempt = () => send(endpoint, url, call)
  const response = await unhurried(isWrite ? attempt : () => twice(attempt, call.signal), call.signal)
  if (isWrite) {
    const written = followRedirect(response, url)
    if (written) return written
  }
  if (!response.ok) {
    const failure = await readFailure(response, isWrite)
    if (failure.noRole) noteNoRole(asked, failure.noRole)
    throw failure
  }
  if (endpoint.needs !== 'public') noteLetIn(asked)
  if (endpoint.reply) return readAnswer({ ...endpoint, reply: endpoint.reply }, response, call.signal)
  // A page that a network puts in the way, to sign in to it, is a success of its own and not of the write.
  if (isWrite && response.headers.get('Content-Type')?.includes('html'))
    throw new ApiError({ status: response.status, code: 'unreadable', outcomeUnknown: true })
  if (!endpoint.status.some((status) => status === 201 || status === 303)) return undefined
  const id = lastSegment(response.headers.get('Location'))
  return (id === undefined ? { outcome: 'unknown-id' } : { id, outcome: 'created' }) satisfies Written
}

function address(apiUrl: string, endpoint: Endpoint, { params = {}, query = {} }: Call): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    // An empty id would address the collection, and "." or ".." its parent.
    if (value === undefined || /^\.{0,2}$/.test(value)) throw new ApiError({ status: 404, code: 'not_found' })
    return encodeURIComponent(value)
  })
  // An empty `next` sent back as an offset would be page one again: an endless loop.
  const search = new URLSearchParams(
    Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
  return `${apiUrl}${path}${search.size === 0 ? '' : `?${search}`}`
}

/** One request, with one fresh token if the first is refused: a 401 has done nothing, so a write may go again. */
async function send(endpoint: Endpoint, url: string, call: Call): Promise<Response> {
  const { tokens, fetch: fetcher = fetch } = connected()
  const isWrite = !isRead(endpoint)
  const attempt = async (token: string | undefined) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    const headers = new Headers({ Accept: 'application/json' })
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
    if (call.body !== undefined) headers.set('Content-Type', 'application/json')
    if (call.ifMatch !== undefined) headers.set('If-Match', call.ifMatch)
    if (call.reason !== undefined) headers.set('Change-Reason', encodeURIComponent(call.reason))
    if (call.reference !== undefined) headers.set('Deletion-Reference', encodeURIComponent(call.reference))
    if (call.idempotencyKey !== undefined) headers.set('Idempotency-Key', call.idempotencyKey)
    try {
      return await fetcher(url, {
        method: endpoint.method,
        headers,
        body: call.body === undefined ? null : JSON.stringify(call.body),
        signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
        cache: 'no-store',
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
      })
    } catch (cause) {
      throw lost(cause, call.signal, isWrite)
    }
  }
  if (endpoint.needs === 'public') return attempt(undefined)
  const token = await tokens.token()
  const response = await attempt(token)
  // After a redirect the refusal concerns the page redirected to; the write itself was done.
  if (response.status !== 401 || (isWrite && response.redirected)) return response
  return attempt(await tokens.tokenAfter(token))
}

/** Requests above the limit of a second are let through in one of the next. */
const mostTries = 4

/** A request that came too soon after others (429) was not looked at: a write, too, may go again. */
async function unhurried(
  attempt: () => Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await attempt()
    // After a redirect the refusal concerns the page redirected to; the write itself was done.
    if (response.status !== 429 || response.redirected || tries === mostTries) return response
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
 * The browser follows the 303 of a write by itself and shows neither the status nor `Location`. Having been
 * redirected elsewhere means that the write was done, whatever the answer there is: another service may not know
 * the singular path of `Location` and answer 404.
 */
function followRedirect(response: Response, requested: string): Written | undefined {
  if (!response.redirected) return undefined
  // Redirected to the same path (http to https, another host) is a detour, not the answer.
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
    // Another service may name an id that cannot be decoded. The write was done all the same.
    return undefined
  }
}
