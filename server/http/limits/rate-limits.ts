import { setTimeout as sleep } from 'node:timers/promises'
import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { formatCount, maxBodyBytes } from '#contract/index.ts'
import type { Caller } from '../auth/caller.ts'
import { Refusal } from '../errors/problem.ts'
import { WorkBudget } from './work-budget.ts'

const windowMs = 1000

/** Maximum number of callers, and of addresses, that are tracked; the least recently seen is evicted. */
const maxRememberedSubjects = 10_000

/**
 * Fraction of the limit that applies to a caller's requests for sealed values, and to an address's requests that are
 * refused for lack of a valid token.
 */
const tightShare = 1 / 5

/**
 * Guesses at sealed values that one caller may make in ten minutes: enough to verify a person's identity, too few to
 * try all four-digit numbers.
 */
const guesses = 20
const guessingMs = 600_000

/**
 * Multiple of the limit for requests that need no token: they include the console's files and documents, and behind a
 * proxy everybody shares one address.
 */
const publicShare = 20

/**
 * Pause before a refusal. Refusing takes a tenth of the time of answering, so a client that asks again at once would
 * still keep the service busy.
 */
const refusedAfterMs = 50

/** Counts a request. Throws a Refusal with 429 if there were too many. */
type Count = (request: FastifyRequest) => Promise<void>

export interface RateLimits {
  /** Counts a request with a valid token, by subject, so that callers do not use up each other's limit. */
  readonly ofCaller: (
    request: FastifyRequest,
    caller: Caller,
    asks: { readonly opensValues: boolean; readonly guessing?: boolean | undefined },
  ) => Promise<void>
  /** Counts a request with a valid token that turns out to reveal sensitive values. */
  readonly sensitive: Count
  /**
   * Counts a refused token, by address. The token is checked first, so a valid one is never refused because of others
   * at its address.
   */
  readonly refusedToken: Count
  /** Counts a request to an endpoint that needs no token, by address. */
  readonly withoutToken: Count
  readonly work: WorkBudget
}

/**
 * Counts requests in windows of one second, guesses in windows of ten minutes. `perSecond` is the limit for one caller;
 * 0 means no limit, except for guesses.
 */
export async function createRateLimits(app: FastifyInstance, perSecond: number): Promise<RateLimits> {
  await app.register(rateLimit, { global: false, timeWindow: windowMs, store: Windows })
  const subjects = new WeakMap<FastifyRequest, string>()
  const subjectOf = (request: FastifyRequest) => subjects.get(request) ?? ''
  const tight = Math.max(1, Math.round(perSecond * tightShare))
  const counter = (
    max: number,
    of: string,
    keyGenerator?: (request: FastifyRequest) => string,
    timeWindow = windowMs,
  ): Count => {
    const count = app.createRateLimit({ max, timeWindow, ...(keyGenerator && { keyGenerator }) })
    return async (request) => {
      const counted = await count(request)
      if (counted.isAllowed || !counted.isExceeded) return
      await sleep(refusedAfterMs)
      throw tooMany(max, of, counted.ttlInSeconds)
    }
  }
  const ofASecond: typeof counter = perSecond > 0 ? counter : () => async () => {}
  const requests = ofASecond(perSecond, 'requests a second of one caller', subjectOf)
  const opening = ofASecond(tight, 'requests a second for sensitive values', subjectOf)
  const guessed = counter(guesses, 'checks in ten minutes', subjectOf, guessingMs)
  const withoutToken = ofASecond(perSecond * publicShare, 'requests a second from one address')
  const ofAddresses = new WorkBudget(perSecond)
  return {
    async ofCaller(request, { subject }, { opensValues, guessing }) {
      subjects.set(request, subject)
      await requests(request)
      if (opensValues) await opening(request)
      if (guessing) await guessed(request)
    },
    sensitive: opening,
    refusedToken: ofASecond(tight, 'requests a second without a valid token from one address'),
    async withoutToken(request) {
      await withoutToken(request)
      // Thrown away, since nothing that needs no token takes a body.
      const bytes = bodyBytes(request)
      if (bytes > 0) await ofAddresses.receive(request.ip, bytes)
    },
    work: new WorkBudget(perSecond),
  }
}

/** Bytes of the request's body by its headers, as far as they are read; the most if the headers do not tell. */
export function bodyBytes({ headers }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return maxBodyBytes
  return Math.min(Number(headers['content-length'] ?? 0), maxBodyBytes)
}

/**
 * Store for the rate limit plugin. The plugin's own store returns its live counter, which the plugin reads only later:
 * when concurrent requests exceed the limit together, it refuses all of them.
 */
class Windows implements FastifyRateLimitStore {
  readonly #windows = new Map<string, { count: number; endsMs: number }>()

  incr(key: string, done: Parameters<FastifyRateLimitStore['incr']>[1], lengthMs: number): void {
    const nowMs = Date.now()
    const known = this.#windows.get(key)
    const current = known && known.endsMs > nowMs ? known : { count: 0, endsMs: nowMs + lengthMs }
    current.count++
    // Reinserted at the end, so that the first entry is the least recently seen.
    this.#windows.delete(key)
    this.#windows.set(key, current)
    if (this.#windows.size > maxRememberedSubjects)
      this.#windows.delete(this.#windows.keys().next().value ?? '')
    done(null, { current: current.count, ttl: current.endsMs - nowMs })
  }

  child(): FastifyRateLimitStore {
    return new Windows()
  }
}

function tooMany(max: number, of: string, seconds: number): Refusal {
  return new Refusal(
    'too_many_requests',
    `More than ${formatCount(max)} ${of}. Nothing was changed; try again in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds) } },
  )
}
