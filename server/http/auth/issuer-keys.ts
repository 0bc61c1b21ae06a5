import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'

import { Refusal } from '../problem.ts'

/** Source of the keys that verify tokens. */
export interface TokenKeys {
  /** Rejects with jose's JWKSNoMatchingKey where there is no such key, with a Refusal where that cannot be told now. */
  readonly find: JWTVerifyGetKey
  /** Another number after each reading of the keys; undefined while they are due to be read again. */
  readonly reading: number | undefined
}

/** Read again after this long: so long a key may be trusted after the issuer has withdrawn it. */
const keysFreshMs = 5 * 60_000
/** While the issuer cannot be asked, the keys that it had are trusted for this long. */
const longestMs = 60 * 60_000
/** For discovery and keys together. */
const timeoutMs = 5000
/** Readings that brought nothing, failures among them: so many at once, then one in each span. */
const vainReadings = 5
const vainSpanMs = 30_000
/** The span while there are no keys at all: the issuer may start after the service. */
const withoutKeysSpanMs = 5000
/**
 * While a key that was just looked for in vain is named again, so many of them are spent on it: the rest is for others. Such ids are known
 * for a span, the latest so many of them.
 */
const readingsForMissed = 2
const missesKept = 100

/**
 * The issuer's keys, by OpenID Connect Discovery, which is read again with the keys. Anybody can name a key that does
 * not exist, or not yet, so readings have a budget. One that a key rotation needed costs nothing of it: a new key is found at
 * once unless a flood of invented ones used the budget up. A token is called invalid only after a reading that began when it was
 * there; while one is owed to it, it is told to come back (503).
 */
export class IssuerKeys implements TokenKeys {
  readonly #issuer: string
  /** Told once of each trouble, when it begins. */
  readonly #troubled: (fault: string) => void
  #fault: string | undefined
  #keys: (IssuerSaid & { readonly readAt: number }) | undefined
  /** Readings that have begun. */
  #begun = 0
  #underWay: Promise<void> | undefined
  /** Number of the last one that succeeded. */
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

  /** Resolves when the issuer has answered, or is in trouble. */
  async open(): Promise<void> {
    await this.#currentKeys().catch(() => {})
  }

  /** Latest known metadata of the issuer. If they are old or missing, this starts a reload in the background. */
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
        // A reading that had begun before the token came may be older than its key.
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

  /** The keys, read again when that is due. */
  async #currentKeys(): Promise<JWTVerifyGetKey> {
    if (this.#age() >= keysFreshMs) {
      const reading = this.#underWay ?? this.#read()
      // An issuer that is known to be in trouble is not waited for while its last keys are still trusted.
      if (this.#failing && this.#age() < longestMs) reading.catch(() => {})
      else
        await reading.catch((error: unknown) => {
          if (this.#age() >= longestMs) throw error
        })
    }
    if (!this.#keys) throw this.#refusal()
    return this.#keys.find
  }

  /** Begins a reading, or rejects where the budget is used up. */
  async #read(atOnce = vainReadings): Promise<void> {
    if (this.#waitMs(atOnce) > 0) throw this.#refusal(atOnce)
    this.#spent += 1
    this.#underWay = this.#fetch(++this.#begun)
    await this.#underWay
  }

  async #fetch(number: number): Promise<void> {
    const due = this.#age() >= keysFreshMs
    try {
      this.#keys = { ...(await askIssuer(this.#issuer)), readAt: Date.now() }
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

  /** Until the budget has room for a reading, of which there may be so many at once. */
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

/** Discovery, and the keys that it leads to. */
interface IssuerSaid {
  readonly metadata: Readonly<Record<string, unknown>>
  readonly find: JWTVerifyGetKey
}

/** Fault in an issuer's answer, as a sentence for the operator. */
class IssuerFault extends Error {}

async function askIssuer(issuer: string): Promise<IssuerSaid> {
  const signal = AbortSignal.timeout(timeoutMs)
  const get = async (url: string): Promise<unknown> => {
    const response = await fetch(url, { signal, headers: { accept: 'application/json' } })
    if (response.status !== 200) throw new IssuerFault(`${url} answers ${response.status} instead of 200`)
    return await response.json()
  }
  const metadata = ((await get(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)) ??
    {}) as Record<string, unknown>
  if (metadata['issuer'] !== issuer) throw new IssuerFault(otherName(metadata['issuer'], issuer))
  const uri = typeof metadata['jwks_uri'] === 'string' ? metadata['jwks_uri'] : ''
  // Keys that come over http may be anybody's; so they are taken only where the issuer itself is asked so.
  if (!uri.startsWith('https:') && !issuer.startsWith('http:'))
    throw new IssuerFault('it names no https address of its keys')
  const set = (await get(uri)) as JSONWebKeySet
  const find = createLocalJWKSet(set)
  // An issuer without any key is one in trouble: to take it at its word would sign everybody out.
  if (set.keys.length === 0) throw new IssuerFault('it has no keys')
  return { metadata, find }
}

function otherName(name: unknown, issuer: string): string {
  const said = JSON.stringify(name)?.slice(0, 200) ?? 'nothing'
  const isSlash = typeof name === 'string' && name.replace(/\/$/, '') === issuer.replace(/\/$/, '')
  return `it calls itself ${said}, and OIDC_ISSUER is ${JSON.stringify(issuer)}${isSlash ? ': they differ by the slash at the end' : ''}`
}

function faultOfIssuer(error: unknown): string {
  if (error instanceof IssuerFault) return error.message
  if (error instanceof Error && error.name === 'TimeoutError') return 'it does not answer in time'
  return error instanceof TypeError ? 'it cannot be reached' : 'its answer cannot be read'
}
