import type { ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'

interface Options {
  /** Longest time for which work waits once, so that it goes on beside requests that never cease. */
  readonly longestMs: number
  /** Time after which a request is not waited for: what takes longer, such as a stream, leaves the process idle. */
  readonly answeredMs: number
}

/**
 * Gives requests precedence over the service's own work. A request needs the event loop several times until it is
 * answered, so that each slice of other work in between would hold it up.
 */
export class Precedence {
  readonly #options: Options
  readonly #waiting = new Set<() => void>()
  #underWay = 0
  #beganMs = -Infinity

  constructor(options: Partial<Options> = {}) {
    this.#options = { longestMs: 5, answeredMs: 20, ...options }
  }

  /** Notes a request until its answer ends. */
  note(response: ServerResponse): void {
    this.#underWay += 1
    this.#beganMs = performance.now()
    response.once('close', () => {
      this.#underWay -= 1
      if (this.#underWay === 0) for (const resume of this.#waiting) resume()
    })
  }

  /** Resolves when requests have had their turn, and those that have just begun are answered. */
  async giveWay(): Promise<void> {
    await setImmediate()
    const { longestMs, answeredMs } = this.#options
    if (this.#underWay === 0 || performance.now() - this.#beganMs >= answeredMs) return
    await new Promise<void>((resolve) => {
      const resume = () => {
        clearTimeout(timer)
        this.#waiting.delete(resume)
        resolve()
      }
      const timer = setTimeout(resume, longestMs)
      this.#waiting.add(resume)
    })
  }
}

/** Requests of this process. */
export const precedence = new Precedence()
