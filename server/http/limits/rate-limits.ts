import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { formatCount } from '#contract/index.ts'

import type { Caller } from '../auth/caller.ts'
import { Refusal } from '../problem.ts'

const windowMs = 1000

/** Callers and addresses that are remembered, of each kind: the one that was not seen for longest is forgotten. */
const maxRememberedSubjects = 10_000

/**
 * Share for the tighter limits: a caller's requests that may show sealed values, and an address's without a valid
 * token.
 */
const tightShare = 1 / 5

/** Guesses at sealed values of one caller, in ten minutes: to verify who calls, and too few to go through all numbers of four digits. */
const guesses = 20
const guessingMs = 600_000

/** Times as many without a token: the console's files, documents and, behind a proxy, those of everybody at once. */
const publicShare = 20

/** Throws a Refusal with 429 where there were too many. */
type Count = (request: FastifyRequest) => Promise<void>

export interface RateLimits {
  /** A request whose token is valid, by subject: nobody else's requests count against it. */
  readonly ofCaller: (
    request: FastifyRequest,
    caller: Caller,
    asks: { readonly opensValues: boolean; readonly guessing?: boolean | undefined },
  ) => Promise<void>
  /** One of these requests that turns out to tell of sensitive values. */
  readonly sensitive: Count
  /** A token that was refused, by address. Checked first: a valid one is never refused for others from its address. */
  readonly refusedToken: Count
  /** Requests to endpoints without a token, by address. */
  readonly withoutToken: Count
}

/** Counts requests in windows of a second. `perSecond` is what one caller may send; 0: any number. Guesses are counted in any case. */
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
      if (!counted.isAllowed && counted.isExceeded) throw tooMany(max, of, counted.ttlInSeconds)
    }
  }
  const ofASecond: typeof counter = perSecond > 0 ? counter : () => async () => {}
  const requests = ofASecond(perSecond, 'requests a second of one caller', subjectOf)
  const opening = ofASecond(tight, 'requests a second for sensitive values', subjectOf)
  const guessed = counter(guesses, 'checks of sensitive values in ten minutes', subjectOf, guessingMs)
  return {
    async ofCaller(request, { subject }, { opensValues, guessing }) {
      subjects.set(request, subject)
      await requests(request)
      if (opensValues) await opening(request)
      if (guessing) await guessed(request)
    },
    sensitive: opening,
    refusedToken: ofASecond(tight, 'requests a second without a valid token from one address'),
    withoutToken: ofASecond(perSecond * publicShare, 'requests a second from one address'),
  }
}

/**
 * The plugin's own store hands out the object that it goes on counting in, which is read only later: of requests that
 * come together, all are then refused where some are too many.
 */
class Windows implements FastifyRateLimitStore {
  readonly #windows = new Map<string, { count: number; endsMs: number }>()

  incr(key: string, done: Parameters<FastifyRateLimitStore['incr']>[1], lengthMs: number): void {
    const nowMs = Date.now()
    const known = this.#windows.get(key)
    const current = known && known.endsMs > nowMs ? known : { count: 0, endsMs: nowMs + lengthMs }
    current.count++
    // Behind all others, so that the first is the one not seen for longest.
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
