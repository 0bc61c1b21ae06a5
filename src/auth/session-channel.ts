import type { Settings } from '../api/settings.ts'
import { SessionStore, signedOut } from './session-store.ts'
import { openTabs, type TabMessage, type Tabs } from './tabs.ts'
import type { RunningSession } from './tokens.ts'

/** Session shared by the tabs of this browser, with this tab's own copy for its next load. */
export interface SessionChannel {
  readonly tabs: Tabs
  /** Hands over the messages that other tabs have sent since this page began to load, and stops collecting more. */
  readonly takeEarlyMessages: () => readonly TabMessage[]
  readonly store: SessionStore
  readonly lock: SessionLock
}

export function openSessionChannel(settings: Settings): SessionChannel {
  const { consoleUrl } = settings
  const tabs = openTabs(consoleUrl)
  const heard: TabMessage[] = []
  const stopHearing = tabs.listen((message) => heard.push(message))
  return {
    tabs,
    takeEarlyMessages: () => {
      stopHearing()
      // Not kept, because a message may contain the tokens of a session.
      return heard.splice(0)
    },
    store: new SessionStore(settings),
    lock: new SessionLock(consoleUrl),
  }
}

type Held = Pick<RunningSession, 'id' | 'renewals'>

/**
 * Web Locks that show each tab which set of tokens the others have. The browser orders the locks of all tabs and
 * releases those of a closed tab, unlike a channel or a storage. A lock carries no token.
 */
class SessionLock {
  readonly #prefix: string
  readonly #refused: string
  #release = () => {}

  constructor(consoleUrl: string) {
    const { pathname } = new URL(consoleUrl)
    this.#prefix = `data-store.session:${pathname}:`
    this.#refused = `data-store.refused:${pathname}:`
    // A page that holds a lock is not kept in the back/forward cache, so the lock is released first. A page restored
    // from there is loaded again.
    addEventListener('pagehide', () => this.release())
  }

  /** Takes the lock for a set of tokens. Resolves when other tabs can see it. */
  async hold({ id, renewals }: Held): Promise<void> {
    const before = this.#release
    await new Promise<void>((seen) => {
      void navigator.locks.request(`${this.#prefix}${id}:${renewals}`, { mode: 'shared' }, () => {
        seen()
        return new Promise<void>((release) => {
          this.#release = release
        })
      })
    })
    before()
  }

  release() {
    this.#release()
  }

  /**
   * For as long as this page exists, marks a set of tokens as one that the provider refuses to renew. A lock is used
   * because another tab may read the storage too late. Resolves when other tabs can see it.
   */
  async refuse({ id, renewals }: Held): Promise<void> {
    const page = new Promise<void>((leave) => addEventListener('pagehide', () => leave(), { once: true }))
    await new Promise<void>((seen) => {
      void navigator.locks.request(`${this.#refused}${id}:${renewals}`, { mode: 'shared' }, () => {
        seen()
        return page
      })
    })
  }

  async isRefused({ id, renewals }: Held): Promise<boolean> {
    const { held = [] } = await navigator.locks.query()
    return held.some(({ name }) => name === `${this.#refused}${id}:${renewals}`)
  }

  /** Returns the sets of tokens that tabs currently have. */
  async all(): Promise<Held[]> {
    const { held = [] } = await navigator.locks.query()
    return held.flatMap(({ name = '' }) => {
      if (!name.startsWith(this.#prefix)) return []
      const [id = '', renewals] = name.slice(this.#prefix.length).split(':')
      return [{ id, renewals: Number(renewals) }]
    })
  }
}

/** Time limit for another tab that has the session to answer. */
const answerMs = 1000

/** Returns the session of another tab; undefined after a sign-out in this tab, or if no tab answers in time. */
export async function takeFromTab(shared: SessionChannel): Promise<RunningSession | undefined> {
  const { store } = shared
  if (signedOut.get() || !store.isPersistent) return undefined
  return newest(shared, (session) => store.isValid(session))
}

/** Waits for another tab's renewal whose message is still on its way: the old tokens must not be used again. */
export async function awaitLater(shared: SessionChannel, { id, renewals }: RunningSession): Promise<void> {
  if (!shared.store.isPersistent) return
  const isLater = (set: Pick<RunningSession, 'id' | 'renewals'>) => set.id === id && set.renewals > renewals
  const sets = await shared.lock.all()
  if (sets.some(isLater)) await newest(shared, isLater)
}

/** Asks all other tabs at once. The newest answer is recognized once the browser has listed the locks. */
async function newest(
  { tabs, lock }: SessionChannel,
  isWanted: (session: RunningSession) => boolean,
): Promise<RunningSession | undefined> {
  const { promise: found, resolve } = Promise.withResolvers<RunningSession | undefined>()
  const answers: RunningSession[] = []
  let evaluate = () => {}
  const stopListening = tabs.listen((message) => {
    if (message.type !== 'session') return
    answers.push(message.session)
    evaluate()
  })
  tabs.send({ type: 'session-wanted' })
  const sets = await lock.all()
  evaluate = () => {
    const isNewest = ({ id, renewals }: RunningSession) =>
      sets.every((other) => other.id !== id || other.renewals <= renewals)
    const answer = answers.find((session) => isNewest(session) && isWanted(session))
    if (answer || sets.length === 0) resolve(answer)
  }
  evaluate()
  const timer = setTimeout(resolve, answerMs)
  return found.finally(() => {
    stopListening()
    clearTimeout(timer)
  })
}
