import type { RunningSession } from './tokens.ts'

type Held = Pick<RunningSession, 'id' | 'renewals'>

/**
 * Web Locks by which tabs tell each other which set of tokens each one has. The browser orders the locks of all tabs and
 * drops those of a closed tab, which neither a channel nor a storage does. A lock carries no token.
 */
export class SessionLock {
  readonly #prefix: string
  readonly #refused: string
  #release = () => {}

  constructor(consoleUrl: string) {
    const { pathname } = new URL(consoleUrl)
    this.#prefix = `data-store.session:${pathname}:`
    this.#refused = `data-store.refused:${pathname}:`
    // A page that holds a lock is not kept for Back and Forward; one that comes back from there is loaded anew.
    addEventListener('pagehide', () => this.release())
  }

  /** Resolves when other tabs can see it. */
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
   * The provider renews this set no more: so it is told as long as this page is there. What a tab stores another one may
   * read too late. Resolves when other tabs can see it.
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

  /** The sets that tabs have now. */
  async all(): Promise<Held[]> {
    const { held = [] } = await navigator.locks.query()
    return held.flatMap(({ name = '' }) => {
      if (!name.startsWith(this.#prefix)) return []
      const [id = '', renewals] = name.slice(this.#prefix.length).split(':')
      return [{ id, renewals: Number(renewals) }]
    })
  }
}
