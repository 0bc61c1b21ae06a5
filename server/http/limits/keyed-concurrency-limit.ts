import { Refusal } from '../problem.ts'

/** Queue of one key: work that waits for running work. */
interface Line {
  running: number
  readonly waiting: Set<() => void>
}

/**
 * Work that is done one after the other anyway, since it needs the same row: of one key only so much is begun at once,
 * so that the others wait here, and not with connections that everybody needs.
 */
export class TurnsByKey {
  readonly #atOnce: number
  readonly #waitMs: number
  readonly #lines = new Map<string, Line>()

  constructor({ atOnce, waitMs }: { atOnce: number; waitMs: number }) {
    this.#atOnce = atOnce
    this.#waitMs = waitMs
  }

  async take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: new Set() }
    this.#lines.set(key, line)
    if (line.running < this.#atOnce) line.running++
    else await this.#turn(line)
    try {
      return await work()
    } finally {
      this.#pass(key, line)
    }
  }

  #turn({ waiting }: Line): Promise<void> {
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

  /** To who has waited longest. */
  #pass(key: string, line: Line): void {
    const [next] = line.waiting
    if (next) next()
    else if (--line.running === 0) this.#lines.delete(key)
  }
}

function busy(): Refusal {
  const detail = 'Too many changes of the same thing wait for each other. Nothing was changed; try again.'
  return new Refusal('busy', detail, { headers: { 'retry-after': '2' } })
}
