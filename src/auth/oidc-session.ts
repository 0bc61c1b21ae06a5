import { ErrorResponse } from 'oidc-client-ts'

import { ApiError } from '../api/api-error.ts'
import { watchActivity } from './activity.ts'
import { maxSessionMs, type Provider, type Tokens } from './provider.ts'
import { type Person, personOf, type Session, type SessionState } from './session.ts'
import type { TabMessage, Tabs } from './tabs.ts'

/** Renewed this long before it ends, so that no request leaves with a token that dies on the way. */
const marginMs = 30_000
const retryMs = 10_000
const lockName = 'data-store.renewal'
/** Set while a mere session at the provider is not enough: after an idle lock and after signing out. */
export const proveKey = 'data-store.prove'

export interface OidcSessionOptions {
  readonly provider: Provider
  readonly tokens: Tokens
  readonly tabs: Tabs
  readonly roleClaim: string
  /** Called once, at the end of the session, wherever it was ended: data must leave the page. */
  readonly onEnd: () => void
  /** Somebody else signed in: everything on the page is another person's. */
  readonly onOtherPerson: () => void
}

export class OidcSession implements Session {
  #tokens: Tokens | undefined
  /** Kept through a lock: it tells the provider whose session to end. */
  #idToken: string | undefined
  #person: Person
  #state: SessionState = { status: 'active' }
  #renewing: Promise<Tokens> | undefined
  #unlocked: PromiseWithResolvers<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #listeners = new Set<() => void>()
  readonly #options: OidcSessionOptions
  readonly #activity: ReturnType<typeof watchActivity>

  constructor(options: OidcSessionOptions) {
    const { tokens, tabs, roleClaim } = options
    this.#options = options
    this.#person = personOf(tokens.claims, roleClaim)
    this.#accept(tokens)
    this.#activity = watchActivity(tabs, {
      warn: (lockAtMs) => this.#state.status === 'active' && this.#become({ status: 'idle', lockAtMs }),
      resume: () => this.#state.status === 'idle' && this.#become({ status: 'active' }),
      lock: () => this.#lock('idle'),
    })
    tabs.listen((message) => {
      if (message.type === 'signed-out') this.#end()
    })
    if (this.#person.name === undefined || this.#person.role === undefined) void this.#completePerson(tokens)
  }

  person = () => this.#person
  state = () => this.#state

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async token(): Promise<string> {
    const tokens = await this.#current()
    if (tokens.expiresAtMs - Date.now() > marginMs) return tokens.access
    return (await this.#renewed(tokens)).access
  }

  async tokenAfter(refused: string): Promise<string> {
    const tokens = await this.#current()
    return (tokens.access === refused ? await this.#renewed(tokens) : tokens).access
  }

  stay() {
    this.#activity.sign()
  }

  async renew(): Promise<'renewed' | 'blocked' | 'failed'> {
    const { provider, tabs, onOtherPerson } = this.#options
    // Opened at once: after an await the browser no longer takes it for the answer to a click.
    const popup = open('', 'data-store-sign-in', 'popup,width=480,height=680')
    if (!popup) return 'blocked'
    popup.opener = null
    try {
      const { url, state } = await provider.popupRequest(localStorage.getItem(proveKey) !== null)
      const answer = tabs.next(
        (message): message is TabMessage & { type: 'returned' } =>
          message.type === 'returned' && new URL(message.url).searchParams.get('state') === state.id,
      )
      popup.location.replace(url)
      const { url: returned } = await answer
      tabs.send({ type: 'received', state: state.id })
      const tokens = await provider.popupReturned(returned)
      // Signed out in another tab while the window was open: that was the later wish.
      if (this.#state.status === 'signed-out') return 'failed'
      localStorage.removeItem(proveKey)
      if (tokens.claims['sub'] !== this.#person.subject) {
        onOtherPerson()
        return await new Promise<never>(() => {})
      }
      this.#accept(tokens)
      this.#activity.sign()
      this.#become({ status: 'active' })
      this.#unlocked?.resolve()
      this.#unlocked = undefined
      return 'renewed'
    } catch {
      popup.close()
      return 'failed'
    }
  }

  async signOut() {
    localStorage.setItem(proveKey, '1')
    this.#options.tabs.send({ type: 'signed-out' })
    const url = await this.#options.provider.signOutUrl(this.#idToken).catch(() => undefined)
    this.#end()
    if (url !== undefined) location.replace(url)
  }

  /** The tokens, once the session is not locked. */
  async #current(): Promise<Tokens> {
    while (this.#tokens === undefined) {
      if (this.#state.status === 'signed-out') throw new ApiError({ status: 401, code: 'signed_out' })
      this.#unlocked ??= Promise.withResolvers<void>()
      await this.#unlocked.promise
    }
    return this.#tokens
  }

  #renewed(before: Tokens): Promise<Tokens> {
    this.#renewing ??= this.#refresh(before).finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async #refresh(before: Tokens): Promise<Tokens> {
    try {
      // One tab at a time: a provider that sees two renewals of one sign-in at once may take it for theft.
      const tokens = await navigator.locks.request(lockName, () => this.#options.provider.refreshed(before))
      // Locked or signed out in the meantime: the answer is not wanted any more.
      if (this.#tokens === before) this.#accept(tokens)
      return await this.#current()
    } catch (cause) {
      const refused = cause instanceof ErrorResponse || before.refresh === undefined
      if (!refused) {
        if (before.expiresAtMs > Date.now()) return before
        throw new ApiError({ status: 0, code: 'network', cause })
      }
      if (this.#tokens === before) this.#lock('expired')
      return this.#current()
    }
  }

  #accept(tokens: Tokens) {
    this.#tokens = tokens
    this.#idToken = tokens.id
    this.#schedule(Math.max(0, tokens.expiresAtMs - marginMs - Date.now()))
  }

  /** Renews ahead of need, and ends the session at its longest duration. */
  #schedule(delayMs: number) {
    clearTimeout(this.#timer)
    const tokens = this.#tokens
    if (!tokens) return
    const endsInMs = tokens.provenAtMs + maxSessionMs - Date.now()
    const due = Math.min(delayMs, endsInMs)
    // A timer takes 32 bits of milliseconds.
    this.#timer = setTimeout(() => void this.#onTime(tokens), Math.min(Math.max(0, due), 2 ** 31 - 1))
  }

  async #onTime(tokens: Tokens) {
    if (this.#tokens !== tokens) return
    if (Date.now() >= tokens.provenAtMs + maxSessionMs) return this.#lock('expired')
    if (tokens.refresh === undefined) return
    const next = await this.#renewed(tokens).catch(() => tokens)
    if (next === tokens && this.#tokens === tokens) this.#schedule(retryMs)
  }

  #lock(reason: 'idle' | 'expired') {
    if (this.#state.status === 'locked' || this.#state.status === 'signed-out') return
    this.#tokens = undefined
    clearTimeout(this.#timer)
    // Also for a reload of this page: the provider's own session may live on.
    localStorage.setItem(proveKey, '1')
    this.#become({ status: 'locked', reason })
  }

  #end() {
    if (this.#state.status === 'signed-out') return
    this.#tokens = undefined
    clearTimeout(this.#timer)
    this.#activity.stop()
    this.#become({ status: 'signed-out' })
    this.#unlocked?.resolve()
    this.#options.onEnd()
  }

  #become(state: SessionState) {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }

  async #completePerson(tokens: Tokens) {
    const more = await this.#options.provider.userInfo(tokens).catch(() => undefined)
    if (!more) return
    this.#person = personOf({ ...tokens.claims, ...more }, this.#options.roleClaim)
    this.#become(this.#state)
  }
}
