import { Refusal } from './problem.ts'

/** Dear work, of which some is done at once and the rest waits; of one subject only a little waits. */
export class Turns {
  readonly #atOnce: number
  readonly #ofSubject: number
  readonly #bySubject = new Map<string, number>()
  readonly #waiting: (() => void)[] = []
  #running = 0

  /** `ofSubject`: done and waiting together. */
  constructor({ atOnce, ofSubject }: { atOnce: number; ofSubject: number }) {
    this.#atOnce = atOnce
    this.#ofSubject = ofSubject
  }

  async take<Result>(subject: string, work: () => Promise<Result>): Promise<Result> {
    const own = this.#bySubject.get(subject) ?? 0
    if (own >= this.#ofSubject)
      throw new Refusal(
        'too_many_at_once',
        `You have ${own} requests of this kind under way, and may have no more: wait for one of them.`,
        { headers: { 'retry-after': '1' } },
      )
    this.#bySubject.set(subject, own + 1)
    try {
      await this.#begin()
      return await work().finally(() => this.#pass())
    } finally {
      const left = (this.#bySubject.get(subject) ?? 1) - 1
      if (left > 0) this.#bySubject.set(subject, left)
      else this.#bySubject.delete(subject)
    }
  }

  async #begin(): Promise<void> {
    if (this.#running < this.#atOnce) this.#running++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Hands the turn to who has waited longest. */
  #pass(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#running--
  }
}
