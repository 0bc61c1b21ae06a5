import { setTimeout as sleep } from 'node:timers/promises'

const tellAgainMs = 3_600_000

export interface WorkerOptions {
  /**
   * Does one step of the work, and says after how many milliseconds the next one is due. The signal ends once the worker is
   * stopped: a step gives up then what can be given up, and its failure is nobody's matter.
   */
  readonly step: (signal: AbortSignal) => Promise<number>
  /** How soon a step that failed is tried again. */
  readonly recoverMs: number
  /** Logs a failure. */
  readonly tell: (error: unknown) => void
}

/** Works in the background, one step after the other, from when it is made until it is stopped. */
export class Worker {
  readonly #options: WorkerOptions
  readonly #ended = new AbortController()
  readonly #running: Promise<void>
  #told: { readonly fault: string; readonly untilMs: number } | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  /** Begins no other step, and waits for the one that is under way. */
  async stop(): Promise<void> {
    this.#ended.abort()
    await this.#running
  }

  /** Tells a failure: the same one once an hour, until a step succeeds again. */
  report(error: unknown): void {
    const { name, code } = (error ?? {}) as { readonly name?: unknown; readonly code?: unknown }
    const fault = `${String(name)} ${String(code)}`
    if (this.#told?.fault === fault && performance.now() < this.#told.untilMs) return
    this.#told = { fault, untilMs: performance.now() + tellAgainMs }
    this.#options.tell(error)
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended
    // A step may use what its owner is still making.
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
      this.#told = undefined
      return pauseMs
    } catch (error) {
      if (!signal.aborted) this.report(error)
      return this.#options.recoverMs
    }
  }
}
