import { setTimeout as sleep } from 'node:timers/promises'

const tellAgainMs = 3_600_000

export interface WorkerOptions {
  /**
   * Runs one step and returns the milliseconds until the next one. The signal aborts when the worker is stopped: the
   * step then gives up whatever it can, and its failure is not reported.
   */
  readonly step: (signal: AbortSignal) => Promise<number>
  /** Delay before a failed step is retried. */
  readonly recoverMs: number
  /** Logs a failure. */
  readonly tell: (error: unknown) => void
}

/** Runs steps in the background, one after the other, from construction until `stop`. */
export class Worker {
  readonly #options: WorkerOptions
  readonly #ended = new AbortController()
  readonly #running: Promise<void>
  #logged: { readonly fault: string; readonly untilMs: number } | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  /** Starts no further step, and waits for the running one. */
  async stop(): Promise<void> {
    this.#ended.abort()
    await this.#running
  }

  /** Reports a failure. A repeated one is reported once an hour until a step succeeds. */
  report(error: unknown): void {
    const { name, code } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown }
    const fault = `${String(name)} ${String(code)}`
    if (this.#logged?.fault === fault && performance.now() < this.#logged.untilMs) return
    this.#logged = { fault, untilMs: performance.now() + tellAgainMs }
    this.#options.tell(error)
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended
    // A step may use something that its owner is still constructing.
    await Promise.resolve()
    while (!signal.aborted) {
      const pauseMs = await this.#step(signal)
      // The pause must not keep the process from ending.
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  async #step(signal: AbortSignal): Promise<number> {
    try {
      const pauseMs = await this.#options.step(signal)
      this.#logged = undefined
      return pauseMs
    } catch (error) {
      if (!signal.aborted) this.report(error)
      return this.#options.recoverMs
    }
  }
}
