import { ApiError } from '../api/api-error.ts'
import { watchActivity } from './activity.ts'
import { timeLeft } from './clock.ts'
import { openPopup, signInThrough } from './popup.ts'
import { awaitLater } from './session-channel.ts'
import { mustProve, signedOut } from './session-store.ts'
import { type Person, personOf, type Renewal, type Session, type SessionState } from './session.ts'
import { SignInError } from './sign-in-error.ts'
import { beginSession, type SignIn, signOutUrl, readPerson } from './sign-in.ts'
import type { TabMessage } from './tabs.ts'
import { endsInMs, isFresh, maxSessionMs, RenewalRefused, renewsInMs, type RunningSession } from './tokens.ts'

const renewalRetryMs = 10_000
/** Least time until the timer renews a session, so that tokens that have no life are not renewed in a loop. */
const leastWaitMs = 1000

interface EndableSession extends Pick<RunningSession, 'id' | 'renewals'> {
  readonly idToken: string | undefined
}

const endable = ({ id, renewals, tokens }: RunningSession): EndableSession => ({
  id,
  renewals,
  idToken: tokens.id,
})

export class OidcSession implements Session {
  /** The running session; undefined while it is locked and after its end. */
  #running: RunningSession | undefined
  /**
   * The latest session without its access and refresh tokens; kept during a lock. It is compared with sessions of other
   * tabs, and its ID token tells the provider whose session to end.
   */
  #latest: EndableSession
  #person: Person
  #state: SessionState = { status: 'active' }
  #renewing: Promise<void> | undefined
  #unlocked: PromiseWithResolvers<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Time until the session's maximum duration. */
  #leftMs = timeLeft(maxSessionMs)
  readonly #listeners = new Set<() => void>()
  readonly #signIn: SignIn
  readonly #onEnd: () => void
  readonly #activity: ReturnType<typeof watchActivity>

  /** @param onEnd Called once, when the session ends in any tab: data must leave the page. */
  constructor(signIn: SignIn, running: RunningSession, onEnd: () => void) {
    const { tabs, store, settings } = signIn
    this.#signIn = signIn
    this.#onEnd = onEnd
    this.#latest = endable(running)
    this.#person = personOf(running.tokens, settings.oidc)
    this.#begin(running)
    void this.#accept(running)
    this.#activity = watchActivity(tabs, {
      alive: (lastActMs) => this.#running && store.alive(lastActMs),
      lastActMs: () => store.lastActMs(),
      warn: (lockAtMs) => this.#state.status === 'active' && this.#become({ status: 'idle', lockAtMs }),
      resume: () => this.#state.status === 'idle' && this.#become({ status: 'active' }),
      lock: () => this.#lock('idle'),
      expire: () => this.#leftMs() <= 0 && this.#lock('expired'),
    })
    tabs.listen((message) => this.#heard(message))
    // Handles messages that arrived during the page load, for example the end of this session. Deferred until the owner
    // has finished its own construction.
    queueMicrotask(() => signIn.takeEarlyMessages().forEach((message) => this.#heard(message)))
    if (this.#person.name === undefined || this.#person.role === undefined) void this.#completePerson(running)
  }

  person = () => this.#person
  state = () => this.#state

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  // Everything that uses the tokens looks at the clock first, since nothing else may have done so after a sleep.
  async token(): Promise<string> {
    this.#activity.look()
    await this.#renewUnless(isFresh)
    return (await this.#current()).tokens.access
  }

  async tokenAfter(refused: string): Promise<string> {
    this.#activity.look()
    await this.#renewUnless(({ tokens }) => tokens.access !== refused)
    return (await this.#current()).tokens.access
  }

  stay() {
    this.#activity.sign()
  }

  async renew(): Promise<Renewal> {
    const signIn = this.#signIn
    const popup = openPopup()
    if (!popup) return 'blocked'
    try {
      const tokens = await signInThrough(popup, signIn)
      // A sign-out in another tab while the window was open is the more recent wish.
      if (this.#state.status === 'signed-out') return 'signed-out'
      const session = beginSession(signIn, tokens)
      if (this.#isOfAnother(session)) return await this.#discard()
      await this.#unlock(session)
      return 'renewed'
    } catch (error) {
      return error instanceof SignInError ? error : new SignInError('unknown', { cause: error })
    }
  }

  async signOut() {
    const signIn = this.#signIn
    mustProve.set()
    signIn.store.end(this.#latest.id)
    signIn.tabs.send({ type: 'signed-out' })
    const url = await signOutUrl(signIn, this.#latest.idToken)
    this.#end()
    if (url !== undefined) location.replace(url)
  }

  /** Handles a message from another tab. A signed-out page ignores it, having no state left to change. */
  #heard(message: TabMessage) {
    if (this.#state.status === 'signed-out') return
    this.#activity.look()
    const { store, tabs } = this.#signIn
    if (message.type === 'signed-out') this.#end()
    if (message.type === 'locked' && message.id === this.#latest.id) this.#lock(message.reason, true)
    if (message.type === 'session-wanted' && store.isPersistent && this.#running)
      tabs.send({ type: 'session', session: this.#running })
    if (message.type !== 'session' || !store.isPersistent || message.session.client !== store.client) return
    // Discards at once: the shared storage may report the other person later than this channel.
    if (this.#isOfAnother(message.session)) void this.#discard()
    else store.onceValid(message.session, () => this.#adopt(message.session))
  }

  /** Takes over a session that another tab got by a sign-in or a renewal. */
  #adopt(session: RunningSession) {
    const isNew = session.id !== this.#latest.id || session.renewals > this.#latest.renewals
    if (isNew && this.#state.status !== 'signed-out') void this.#unlock(session)
  }

  #isOfAnother({ tokens }: RunningSession): boolean {
    return tokens.claims.sub !== this.#person.subject
  }

  /** Discards the page: its content must not be shown to another person who has signed in. */
  #discard(): Promise<never> {
    this.#stop()
    this.#onEnd()
    location.replace(this.#signIn.settings.consoleUrl)
    return new Promise<never>(() => {})
  }

  #begin({ tokens }: RunningSession) {
    this.#leftMs = timeLeft(Math.min(maxSessionMs, tokens.provenAtMs + maxSessionMs - Date.now()))
  }

  async #unlock(session: RunningSession) {
    if (session.id !== this.#latest.id) this.#begin(session)
    const accepted = this.#accept(session)
    if (this.#state.status === 'locked') {
      this.#activity.begin()
      this.#become({ status: 'active' })
    }
    this.#unlocked?.resolve()
    this.#unlocked = undefined
    await accepted
  }

  /** Returns the session, waiting until it is unlocked. */
  async #current(): Promise<RunningSession> {
    while (this.#running === undefined) {
      if (this.#state.status === 'signed-out') throw new ApiError({ status: 401, code: 'signed_out' })
      this.#unlocked ??= Promise.withResolvers<void>()
      await this.#unlocked.promise
    }
    return this.#running
  }

  /** Renews the session if it does not meet the condition. If the session is locked in the meantime, does not wait for it. */
  async #renewUnless(isUsable: (running: RunningSession) => boolean): Promise<void> {
    const running = await this.#current()
    if (!isUsable(running)) await this.#renew(running)
  }

  #renew(before: RunningSession): Promise<void> {
    this.#renewing ??= this.#renewOnce(before).finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  /** Renews the session or, if the provider refuses, locks it. Rejects if it has expired and no renewal got through. */
  async #renewOnce(before: RunningSession): Promise<void> {
    try {
      await renewInTurn(this.#signIn, before, {
        running: () => {
          this.#activity.look()
          return this.#running
        },
        accept: (next) => this.#accept(next),
      })
    } catch (cause) {
      if (cause instanceof RenewalRefused) {
        if (this.#running === before) this.#lock('expired')
      } else if (endsInMs(before) <= 0) throw new ApiError({ status: 0, code: 'network', cause })
    }
  }

  /** Accepts a session. Resolves when other tabs can see that this tab has it. */
  async #accept(session: RunningSession) {
    const { store, lock } = this.#signIn
    this.#running = session
    this.#latest = endable(session)
    this.#schedule(Math.max(leastWaitMs, renewsInMs(session)))
    if (!store.isPersistent) return
    store.keep(session)
    await lock.hold(session)
  }

  /** Schedules the renewal ahead of the expiry, and the lock at the session's maximum duration. */
  #schedule(delayMs: number) {
    clearTimeout(this.#timer)
    const running = this.#running
    if (!running) return
    const due = Math.min(delayMs, this.#leftMs())
    // Timers take a signed 32-bit number of milliseconds.
    this.#timer = setTimeout(() => void this.#onTime(running), Math.min(Math.max(0, due), 2 ** 31 - 1))
  }

  async #onTime(running: RunningSession) {
    this.#activity.look()
    if (this.#running !== running) return
    if (running.tokens.refresh === undefined) return
    await this.#renew(running).catch(() => undefined)
    if (this.#running === running) this.#schedule(renewalRetryMs)
  }

  /** Locks the session in all tabs. Returns false if it was locked or ended before. */
  #lock(reason: 'idle' | 'expired', isTold = false): boolean {
    if (this.#state.status === 'locked' || this.#state.status === 'signed-out') return false
    if (!isTold) this.#signIn.tabs.send({ type: 'locked', id: this.#latest.id, reason })
    this.#stop()
    // This also covers a reload of the page: the provider's own session may still be active.
    mustProve.set()
    this.#become({ status: 'locked', reason })
    return true
  }

  #end() {
    if (this.#state.status === 'signed-out') return
    this.#stop()
    this.#activity.stop()
    signedOut.set()
    this.#become({ status: 'signed-out' })
    this.#unlocked?.resolve()
    this.#onEnd()
  }

  /** Stops using the tokens and removes them from the storages. */
  #stop() {
    const { store, lock } = this.#signIn
    this.#running = undefined
    clearTimeout(this.#timer)
    store.end(this.#latest.id)
    lock.release()
  }

  #become(state: SessionState) {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }

  async #completePerson({ tokens }: RunningSession) {
    this.#person = await readPerson(this.#signIn, tokens)
    this.#become(this.#state)
  }
}

const lockName = 'data-store.renewal'

interface Holder {
  readonly running: () => RunningSession | undefined
  /** Accepts a session. Resolves when other tabs can see that this tab has it. */
  readonly accept: (next: RunningSession) => Promise<void>
}

/** Renews the tokens once for all tabs: to some providers, two renewals with one refresh token mean theft. */
export function renewInTurn(signIn: SignIn, before: RunningSession, holder: Holder): Promise<void> {
  const isUnchanged = () => holder.running() === before
  return navigator.locks.request(lockName, async () => {
    if (isUnchanged()) await awaitLater(signIn, before)
    // Renewed elsewhere, locked or signed out in the meantime: no renewal is needed.
    if (!isUnchanged()) return
    const { store, lock } = signIn
    // The message about the end of the session may not have arrived yet.
    if (store.isPersistent && (!store.isValid(before) || (await lock.isRefused(before))))
      throw new RenewalRefused('The session was ended.')
    const provider = await signIn.provider()
    const tokens = await provider.refreshed(before.tokens).catch(async (error: unknown) => {
      // Recorded before the lock is released, or the next tab would try the same.
      if (error instanceof RenewalRefused) {
        store.end(before.id)
        if (store.isPersistent) await lock.refuse(before)
      }
      throw error
    })
    if (!isUnchanged()) return
    const next = { ...before, renewals: before.renewals + 1, tokens }
    await holder.accept(next)
    if (signIn.store.isPersistent) signIn.tabs.send({ type: 'session', session: next })
  })
}

/** Signs in through a window, as a redirected page could store nothing. Must be called in a click handler. */
export async function signInBeside(signIn: SignIn): Promise<RunningSession | undefined> {
  const popup = openPopup()
  return popup ? beginSession(signIn, await signInThrough(popup, signIn)) : undefined
}
