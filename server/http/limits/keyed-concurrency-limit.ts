import { Refusal } from '../errors/problem.ts'

/** Running and queued work of one key. */
interface KeyQueue {
  running: number
  readonly waiting: Set<() => void>
}

/**
 * Limits concurrent work per key. Work on one row runs serially anyway, so the excess waits here and does not occupy
 * connections that everybody needs.
 */
export class KeyedConcurrencyLimit {
  readonly #atOnce: number
  readonly #waitMs: number
  readonly #queues = new Map<string, KeyQueue>()

  constructor({ atOnce, waitMs }: { atOnce: number; waitMs: number }) {
    this.#atOnce = atOnce
    this.#waitMs = waitMs
  }

  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(key) ?? { running: 0, waiting: new Set() }
    this.#queues.set(key, queue)
    if (queue.running < this.#atOnce) queue.running++
    else await this.#acquire(queue)
    try {
      return await work()
    } finally {
      this.#release(key, queue)
    }
  }

  #acquire({ waiting }: KeyQueue): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(begin)
        reject(busy())
      }, this.#waitMs)
      const begin = () => {
        clearTimeout(timer)
        waiting.delete(begin)
        resolve()
      }
      waiting.add(begin)
    })
  }

  /** Passes the slot to the work that has waited longest. */
  #release(key: string, queue: KeyQueue): void {
    const [next] = queue.waiting
    if (next) next()
    else if (--queue.running === 0) this.#queues.delete(key)
  }
}

function busy(): Refusal {
  const detail = 'Too many changes are waiting for the same record. Nothing was changed; try again.'
  return new Refusal('busy', detail, { headers: { 'retry-after': '2' } })
}
