import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'

import { formatCount } from '#contract/index.ts'
import { Refusal } from '../errors/problem.ts'
import { askIssuer, faultOfIssuer, IssuerFault, readIssuerJson } from './issuer-answer.ts'

/** Source of the keys that verify tokens. */
export interface TokenKeys {
  /**
   * Rejects with jose's JWKSNoMatchingKey if there is no such key, or with a Refusal if that is not known at the
   * moment.
   */
  readonly find: JWTVerifyGetKey
  /** Number that changes with each reload of the keys; undefined while a reload is due. */
  readonly reading: number | undefined
}

/** Age at which keys are reloaded: a key that the issuer has withdrawn may be trusted this long. */
const keysFreshMs = 5 * 60_000
/** Time for which the last keys are trusted while the issuer is unavailable. */
const longestMs = 60 * 60_000
/** Time-out for discovery and keys together, up to the last byte. */
const timeoutMs = 5000
/** Maximum number of keys. */
const maxKeys = 1000
/** Budget for reloads that bring nothing or fail: this many without a pause, then one per span. */
const vainReadings = 5
const vainSpanMs = 30_000
/** Span while there are no keys at all: the issuer may start after the service. */
const withoutKeysSpanMs = 5000
/**
 * Part of the budget that a recently missed key may use; the rest is left for others. Missed key ids are remembered
 * for one span, up to `missesKept` of them.
 */
const readingsForMissed = 2
const missesKept = 100

/**
 * The issuer's keys, found by OpenID Connect Discovery, which is reloaded with them. Anybody can name a key that does
 * not exist, or not yet, so reloads have a budget. A reload for a key rotation is refunded: a new key is found at once
 * unless a flood of invented keys has used up the budget. A token is called invalid only after a reload that began
 * after its arrival; until then, its sender is told to retry (503).
 */
export class IssuerKeys implements TokenKeys {
  readonly #issuer: string
  /** Called once for each fault, when it begins. */
  readonly #troubled: (fault: string) => void
  #fault: string | undefined
  #keys: (IssuerSaid & { readonly readAt: number }) | undefined
  /** Number of reloads that have begun. */
  #begun = 0
  #underWay: Promise<void> | undefined
  /** Number of the last successful reload. */
  #done = 0
  #failing = false
  #spent = 0
  #spentAt = 0
  readonly #misses = new Map<string, number>()

  constructor(issuer: string, troubled: (fault: string) => void = () => {}) {
    this.#issuer = issuer
    this.#troubled = troubled
  }

  get reading(): number | undefined {
    return this.#age() < keysFreshMs ? this.#done : undefined
  }

  /** Resolves when the issuer has answered or failed. */
  async open(): Promise<void> {
    await this.#currentKeys().catch(() => {})
  }

  /** Returns the latest known metadata of the issuer. If it is old or missing, starts a reload in the background. */
  metadata(): Readonly<Record<string, unknown>> | undefined {
    if (this.#age() >= keysFreshMs) this.#currentKeys().catch(() => {})
    return this.#keys?.metadata
  }

  readonly find: JWTVerifyGetKey = async (header, token) => {
    const earlier = this.#begun
    const id = header.kid ?? ''
    for (let searched = false; ; searched = true) {
      const keys = await this.#currentKeys()
      try {
        const key = await keys(header, token)
        if (searched) this.#giveBack()
        return key
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        // A reload that began before the token arrived may predate its key.
        if (this.#done > earlier) {
          this.#remember(id)
          throw error
        }
      }
      await (this.#underWay ?? this.#read(this.#isMissed(id) ? readingsForMissed : vainReadings))
    }
  }

  #isMissed(id: string): boolean {
    return (this.#misses.get(id) ?? -Infinity) > Date.now() - vainSpanMs
  }

  #remember(miss: string): void {
    this.#misses.delete(miss)
    this.#misses.set(miss, Date.now())
    const [oldest] = this.#misses.keys()
    if (this.#misses.size > missesKept && oldest !== undefined) this.#misses.delete(oldest)
  }

  /** Returns the keys, reloading them if that is due. */
  async #currentKeys(): Promise<JWTVerifyGetKey> {
    if (this.#age() >= keysFreshMs) {
      const reading = this.#underWay ?? this.#read()
      // While the issuer is known to be failing, its last keys are used without waiting, if they are still trusted.
      if (this.#failing && this.#age() < longestMs) reading.catch(() => {})
      else
        await reading.catch((error: unknown) => {
          if (this.#age() >= longestMs) throw error
        })
    }
    if (!this.#keys) throw this.#refusal()
    return this.#keys.find
  }

  /** Reloads the keys, or rejects if the budget is used up. */
  async #read(atOnce = vainReadings): Promise<void> {
    if (this.#waitMs(atOnce) > 0) throw this.#refusal(atOnce)
    this.#spent += 1
    this.#underWay = this.#fetch(++this.#begun)
    await this.#underWay
  }

  async #fetch(number: number): Promise<void> {
    const due = this.#age() >= keysFreshMs
    try {
      this.#keys = { ...(await readIssuer(this.#issuer)), readAt: Date.now() }
      this.#done = number
      this.#failing = false
      this.#fault = undefined
      if (due) this.#giveBack()
    } catch (error) {
      this.#failing = true
      const fault = faultOfIssuer(error)
      if (fault !== this.#fault) this.#troubled(fault)
      this.#fault = fault
      throw this.#refusal()
    } finally {
      this.#underWay = undefined
    }
  }

  #age(): number {
    return this.#keys ? Date.now() - this.#keys.readAt : Infinity
  }

  /** Returns the time until a budget of `atOnce` reloads allows the next one. */
  #waitMs(atOnce: number): number {
    const span = this.#keys ? vainSpanMs : withoutKeysSpanMs
    const now = Date.now()
    this.#spent = Math.max(0, this.#spent - Math.max(0, now - this.#spentAt) / span)
    this.#spentAt = now
    return Math.max(0, (this.#spent + 1 - atOnce) * span)
  }

  #giveBack(): void {
    this.#spent = Math.max(0, this.#spent - 1)
  }

  #refusal(atOnce = vainReadings): Refusal {
    const retryAfterS = Math.max(2, Math.ceil(this.#waitMs(atOnce) / 1000))
    return new Refusal(
      'unavailable',
      this.#failing
        ? 'The service cannot reach the issuer of tokens right now. Nothing was changed; try again.'
        : 'The service does not know the key of this token, and has asked the issuer too often just now. Nothing was changed; try again.',
      { headers: { 'retry-after': String(retryAfterS) } },
    )
  }
}

/** The discovery document, and a lookup of the keys that it refers to. */
interface IssuerSaid {
  readonly metadata: Readonly<Record<string, unknown>>
  readonly find: JWTVerifyGetKey
}

async function readIssuer(issuer: string): Promise<IssuerSaid> {
  const signal = AbortSignal.timeout(timeoutMs)
  const get = async (url: string) =>
    await readIssuerJson(await askIssuer(url, { signal, headers: { accept: 'application/json' } }))
  const metadata = ((await get(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)) ??
    {}) as Record<string, unknown>
  if (metadata['issuer'] !== issuer) throw new IssuerFault(otherName(metadata['issuer'], issuer))
  const uri = typeof metadata['jwks_uri'] === 'string' ? metadata['jwks_uri'] : ''
  // Anybody could have sent keys that arrive over http, so they are accepted only if the issuer itself is configured
  // with http.
  if (!uri.startsWith('https:') && !issuer.startsWith('http:'))
    throw new IssuerFault('it names no https address of its keys')
  if (!/^https?:/.test(uri)) throw new IssuerFault('it names no http address of its keys')
  return { metadata, find: findIn(await get(uri), uri) }
}

/** Returns the lookup in a set of keys. Each lookup goes through all of them, so there may not be many. */
function findIn(set: unknown, uri: string): JWTVerifyGetKey {
  const { keys } = (set ?? {}) as { keys?: unknown }
  const count = Array.isArray(keys) ? keys.length : undefined
  // An issuer without keys counts as failing: accepting its empty set would sign everybody out.
  if (count === 0) throw new IssuerFault('it has no keys')
  if (count !== undefined && count > maxKeys)
    throw new IssuerFault(
      `${uri} has ${formatCount(count)} keys, and at most ${formatCount(maxKeys)} are read`,
    )
  try {
    return createLocalJWKSet(set as JSONWebKeySet)
  } catch {
    throw new IssuerFault(`${uri} answers no set of keys`)
  }
}

function otherName(name: unknown, issuer: string): string {
  const said = JSON.stringify(name)?.slice(0, 200) ?? 'nothing'
  const isSlash = typeof name === 'string' && name.replace(/\/$/, '') === issuer.replace(/\/$/, '')
  return `it calls itself ${said}, and OIDC_ISSUER is ${JSON.stringify(issuer)}${isSlash ? ': they differ by the slash at the end' : ''}`
}
