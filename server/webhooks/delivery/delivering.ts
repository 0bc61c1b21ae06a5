import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'

import { numberEvents } from '../../events/storage.ts'
import type { Database } from '../../sealing/database.ts'
import { MissingKeyError } from '../../sealing/encryption.ts'
import { openSecrets } from '../../sealing/webhook-secrets.ts'
import { Worker } from '../../store/worker.ts'
import { type Exchange, sealExchange } from '../exchanges.ts'
import { type Keep, Tidying } from '../tidying.ts'
import { bodyOf, signatureHeaders } from './message.ts'
import { type Claim, claimDeliveries, endLeases, isAnyDue, recordResults, type Result } from './queue.ts'
import type { Outcome, Receivers } from './receiver.ts'
import { evaluateAttempt } from './schedule.ts'
import { maxConcurrent, maxConcurrentFailing, restMsAmong, SubscriptionSlots } from './subscription-slots.ts'

/**
 * Maximum number of concurrent deliveries over all subscriptions. Each subscription may always use
 * `maxConcurrentFailing`, or an equal share of the free ones if that is more.
 */
const maxConcurrentInAll = 512
/** Three times the longest attempt, so that its result is recorded before the lease ends. */
const leaseMs = 60_000
/** Results that arrive within this time are recorded together. */
const gatherMs = 15
/** While requests keep this process busy, a delivery overdue by this time causes no pause of its subscription. */
const maxYieldMs = 60_000
/**
 * Finished deliveries slow down the search for due ones until the table is vacuumed: 240,000 of them add 20 ms to each
 * search. So the search covers only recently due deliveries. It includes older ones from time to time, and as long as
 * there are any.
 */
const latelyMs = 300_000
const everMs = 1e13
const lookBackEveryMs = 10_000
/**
 * Maximum time for which `Retry-After` holds back a whole subscription: the next response shows whether it still
 * applies.
 */
const maxHoldMs = 60_000
/** Delay after a failure of the store or of this process. */
const deliveryRecoverMs = 1000
/** Delay before the next attempt of a delivery that could not be sent for a reason other than the receiver. */
const unsentMs = 60_000

export interface DeliveringOptions {
  readonly database: Database
  readonly receivers: Pick<Receivers, 'send' | 'close'>
  readonly log?: Logger | undefined
  /** Interval of the search for due deliveries. */
  readonly pollMs?: number
  readonly keep?: Keep | undefined
}

/**
 * Numbers events and sends them to subscriptions until they have arrived or are given up. All deliveries are in the
 * database: after a kill at any moment, the claimed ones are due again when their leases end.
 */
export class Delivering {
  readonly #options: DeliveringOptions & { pollMs: number }
  /** Slots by subscription, for those with a delivery in flight, a pause or a failure. */
  readonly #slots = new Map<string, SubscriptionSlots>()
  readonly #awaited = new Set<Claim>()
  #results: Result[] = []
  #news = Promise.withResolvers<void>()
  /** Event loop utilization after the last round. */
  #loop = performance.eventLoopUtilization()
  /** Time of the next search that includes older deliveries. */
  #lookBackAtMs = 0
  #stopping = false
  /**
   * Whether the leases found at the start can be ended: no other process uses an embedded store, so their holders are
   * gone.
   */
  #isAlone: boolean
  readonly #worker: Worker
  readonly #tidying: Tidying

  constructor(options: DeliveringOptions) {
    this.#options = { pollMs: 200, ...options }
    this.#tidying = new Tidying(this.#options)
    this.#isAlone = options.database.engine === 'embedded'
    this.#worker = new Worker({
      step: () => this.#step(),
      recoverMs: deliveryRecoverMs,
      tell: (error) => this.#tell(error),
    })
  }

  /** Claims nothing more, waits up to `graceMs` for responses, then gives back the deliveries without one. */
  async stop(graceMs = 8000): Promise<void> {
    const endsAtMs = performance.now() + graceMs
    this.#stopping = true
    this.#news.resolve()
    await Promise.all([this.#worker.stop(), this.#tidying.stop()])
    while (this.#awaited.size > 0 && performance.now() < endsAtMs)
      await this.#newsWithin(endsAtMs - performance.now())
    const time = new Date().toISOString()
    for (const claim of this.#awaited)
      this.#settle(claim, { state: 'waiting', delayMs: 0, attempt: { time, error: 'interrupted' } })
    // If recording fails, the leases run out by themselves.
    await this.#record().catch((error: unknown) => this.#worker.report(error))
    await this.#options.receivers.close()
  }

  async #step(): Promise<number> {
    const { database, pollMs } = this.#options
    if (this.#isAlone) await endLeases(database.sql, leaseMs)
    this.#isAlone = false
    await this.#round()
    await this.#recordUntil(performance.now() + pollMs)
    return 0
  }

  /** Records results as they arrive. Ends early if there are free slots for deliveries that may be due. */
  async #recordUntil(endsAtMs: number): Promise<void> {
    const mayGoOn = () => [...this.#slots.values()].some((slots) => slots.isFull && slots.room > 0)
    while (!this.#stopping && !mayGoOn() && performance.now() < endsAtMs) {
      await this.#newsWithin(endsAtMs - performance.now())
      if (this.#results.length > 0 && this.#awaited.size > 0) await sleep(gatherMs)
      await this.#record()
    }
  }

  async #round(): Promise<void> {
    const { sql } = this.#options.database
    await this.#record()
    await numberEvents(sql)
    for (const [subscription, slots] of this.#slots) if (slots.isIdle) this.#slots.delete(subscription)
    const room = new Map(Array.from(this.#slots, ([subscription, slots]) => [subscription, slots.room]))
    const lookbackMs = performance.now() < this.#lookBackAtMs ? latelyMs : everMs
    const inAll = Math.max(0, maxConcurrentInAll - this.#awaited.size)
    const limits = { room, otherwise: maxConcurrent, atLeast: maxConcurrentFailing, inAll }
    const claims = (await isAnyDue(sql)) ? await claimDeliveries(sql, { ...limits, lookbackMs, leaseMs }) : []
    const longestMs = Math.max(0, ...claims.map(({ dueMs }) => dueMs))
    if (lookbackMs === everMs && longestMs < latelyMs / 2)
      this.#lookBackAtMs = performance.now() + lookBackEveryMs
    if (this.#isBusy()) this.#rest(claims)
    const secrets = new Map<string, readonly Buffer[]>()
    for (const claim of claims) this.#send(claim, secrets)
    for (const slots of this.#slots.values()) slots.isFull = slots.free === 0 && !slots.isFailing
  }

  #rest(claims: readonly Claim[]): void {
    const restMs = restMsAmong([...this.#slots.values()])
    for (const { subscription, dueMs } of claims) {
      const slots = this.#slotsOf(subscription)
      if (dueMs < maxYieldMs) slots.restsUntilMs = Math.max(slots.restsUntilMs, performance.now()) + restMs
    }
  }

  /** Sends one delivery. `opened`: cache of this round's secrets, by subscription. */
  #send(claim: Claim, opened: Map<string, readonly Buffer[]>): void {
    const { subscription, url, event } = claim
    this.#slotsOf(subscription).taken++
    this.#awaited.add(claim)
    const at = new Date()
    const startedMs = performance.now()
    const body = bodyOf(claim)
    let exchange: Exchange | undefined
    const send = async () => {
      const { keyring } = this.#options.database.keys
      const secrets = opened.get(subscription) ?? openSecrets(keyring, { ...claim, id: subscription })
      opened.set(subscription, secrets)
      const headers = signatureHeaders(secrets, event, at, body)
      return await this.#options.receivers.send(url, headers, body, (given) => (exchange = given))
    }
    send().then(
      (outcome) => this.#noteAnswer(claim, outcome, exchange, at, Math.round(performance.now() - startedMs)),
      (error: unknown) => {
        this.#worker.report(error)
        this.#settle(claim, { state: 'waiting', delayMs: unsentMs })
      },
    )
  }

  #noteAnswer(claim: Claim, outcome: Outcome, exchange: Exchange | undefined, at: Date, ms: number): void {
    const slots = this.#slotsOf(claim.subscription)
    slots.isWell = outcome.error === undefined
    slots.failures = slots.isWell ? 0 : slots.failures + 1
    if (outcome.error !== undefined && outcome.retryAfterMs !== undefined)
      slots.heldUntilMs = performance.now() + Math.min(outcome.retryAfterMs, maxHoldMs)
    const { status, error } = outcome
    const { indexKey } = this.#options.database.keys
    const time = at.toISOString()
    const sealed = exchange && sealExchange(indexKey, { ...claim, time }, exchange)
    this.#settle(claim, {
      ...evaluateAttempt(outcome, { attempts: claim.attempts + 1, isTest: claim.type === 'WEBHOOK_TEST' }),
      attempt: { time, ms, status, error, sealed },
    })
  }

  /** Queues the result of a claim for recording. Only its first result counts. */
  #settle(claim: Claim, what: Omit<Result, 'subscription' | 'url' | 'seq' | 'leased'>): void {
    if (!this.#awaited.delete(claim)) return
    const { subscription, url, seq, leased } = claim
    this.#results.push({ subscription, url, seq, leased, ...what })
    this.#news.resolve()
  }

  /**
   * Whether requests keep this process busy. Called when the worker itself runs no statement, so nearly all connections
   * in use belong to requests.
   */
  #isBusy(): boolean {
    const { pool } = this.#options.database
    const before = this.#loop
    this.#loop = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(this.#loop, before)
    const others = pool.totalCount - pool.idleCount + pool.waitingCount
    return others > 2 || (others > 0 && utilization > 0.9)
  }

  async #record(): Promise<void> {
    const results = this.#results
    if (results.length === 0) return
    this.#results = []
    const { database, log } = this.#options
    try {
      const disabled = await recordResults(database.sql, results)
      for (const { subscription, reason } of disabled)
        log?.warn({ subscription, reason }, 'a subscription was disabled: nothing more is sent to it')
    } catch (error) {
      this.#results.unshift(...results)
      throw error
    }
    for (const { subscription } of results) this.#slotsOf(subscription).taken--
  }

  #slotsOf(subscription: string): SubscriptionSlots {
    const slots = this.#slots.get(subscription) ?? new SubscriptionSlots()
    this.#slots.set(subscription, slots)
    return slots
  }

  async #newsWithin(ms: number): Promise<void> {
    const timer = setTimeout(this.#news.resolve, Math.max(0, ms))
    await this.#news.promise
    clearTimeout(timer)
    this.#news = Promise.withResolvers()
  }

  #tell(error: unknown): void {
    const { name, code } = error as { name?: unknown; code?: unknown }
    const message = error instanceof MissingKeyError ? error.message : 'deliveries have to wait'
    this.#options.log?.error({ name, code }, message)
  }
}
