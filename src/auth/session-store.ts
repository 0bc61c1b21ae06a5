import type { Settings } from '../api/settings.ts'
import { idleMs } from './activity.ts'
import { put, sharedStorage, tabStorage } from './storage.ts'
import { maxSessionMs, type RunningSession } from './tokens.ts'

/** Storage key for the id of the valid session. Consoles at other paths of the same origin have their own sessions. */
const validKeyAt = (path: string) => `data-store.valid:${path}`
/** Milliseconds to wait for a `storage` event: a message of a tab may arrive before the data it refers to. */
const lateMs = 10_000

const markIn = (storage: Storage | undefined, key: string) => ({
  get: () => storage?.getItem(key) != null,
  set: () => put(storage, key, '1'),
  clear: () => storage?.removeItem(key),
})

/** Mark that a session at the provider is not enough: after a lock or a sign-out, until the next sign-in. */
export const mustProve = markIn(sharedStorage, 'data-store.prove')

/** Mark that the person has signed out in this tab, which then waits for an explicit sign-in. */
export const signedOut = markIn(tabStorage, 'data-store.signed-out')

/** Whether a tab has begun a session that has not been ended. Its person and its age are not checked. */
export function hasSession(consoleUrl: string): boolean {
  return sharedStorage?.getItem(validKeyAt(new URL(consoleUrl).pathname)) != null
}

/**
 * The running session as this tab keeps it for its next load. The tokens are in the tab's storage. The shared storage
 * has the id of the one valid session and the time of the person's last activity. So the copy of a closed or
 * duplicated tab is void once the session was ended, locked, left idle for too long or replaced.
 */
export class SessionStore {
  /** Whether sessions outlive a page load and are shared by tabs. */
  readonly isPersistent: boolean
  readonly client: string
  readonly #sessionKey: string
  readonly #validKey: string
  readonly #aliveKey: string

  constructor({ consoleUrl, session, oidc }: Pick<Settings, 'consoleUrl' | 'session' | 'oidc'>) {
    this.isPersistent = session === 'tab' && tabStorage !== undefined && sharedStorage !== undefined
    this.client = `${oidc.authority} ${oidc.clientId}`
    const { pathname } = new URL(consoleUrl)
    this.#sessionKey = `data-store.session:${pathname}`
    this.#validKey = validKeyAt(pathname)
    this.#aliveKey = `data-store.alive:${pathname}`
  }

  read(): RunningSession | undefined {
    if (!this.isPersistent) return undefined
    const session = parse(tabStorage?.getItem(this.#sessionKey))
    if (session && this.isValid(session)) return session
    tabStorage?.removeItem(this.#sessionKey)
    return undefined
  }

  isValid({ id, client, tokens }: RunningSession): boolean {
    const isThisOne = client === this.client && sharedStorage?.getItem(this.#validKey) === id
    if (!isThisOne || Date.now() >= tokens.provenAtMs + maxSessionMs) return false
    // A last activity far in the future, after the clock was set back, counts as none: its age is unknown.
    const isAlone = !(Math.abs(Date.now() - (this.lastActMs() ?? NaN)) < idleMs)
    if (isAlone) {
      mustProve.set()
      this.end(id)
    }
    return !isAlone
  }

  /** Calls back once the session is valid here: another tab's message may arrive before its shared storage does. */
  onceValid(session: RunningSession, then: () => void) {
    if (!this.isPersistent) return
    if (this.isValid(session)) return then()
    const look = () => {
      if (!this.isValid(session)) return
      stop()
      then()
    }
    const stop = () => removeEventListener('storage', look)
    addEventListener('storage', look)
    setTimeout(stop, lateMs)
  }

  /** Makes this the session of all tabs. */
  begin(session: RunningSession) {
    if (!this.isPersistent) return
    // Written in this order, so that a tab that sees the id also sees the activity.
    this.alive()
    put(sharedStorage, this.#validKey, session.id)
    this.keep(session)
  }

  keep(session: RunningSession) {
    if (!this.isPersistent) return
    // If the storage is full, the session is not lost: the next load of this page asks another tab or the provider.
    if (!put(tabStorage, this.#sessionKey, JSON.stringify(session))) tabStorage?.removeItem(this.#sessionKey)
  }

  alive(lastActMs = Date.now()) {
    if (this.isPersistent) put(sharedStorage, this.#aliveKey, String(lastActMs))
  }

  /** Returns the time of the person's last activity in any tab; undefined if tabs share nothing. */
  lastActMs(): number | undefined {
    const text = this.isPersistent ? sharedStorage?.getItem(this.#aliveKey) : undefined
    return text == null ? undefined : Number(text)
  }

  /** Removes the session from this tab, and its shared marks unless a newer session has replaced them. */
  end(id: string) {
    tabStorage?.removeItem(this.#sessionKey)
    if (sharedStorage?.getItem(this.#validKey) !== id) return
    sharedStorage.removeItem(this.#validKey)
    sharedStorage.removeItem(this.#aliveKey)
  }
}

function parse(text: string | null | undefined): RunningSession | undefined {
  try {
    const session = JSON.parse(text ?? 'null') as RunningSession | null
    return typeof session?.tokens.access === 'string' ? session : undefined
  } catch {
    return undefined
  }
}
