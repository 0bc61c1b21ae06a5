import { asRefusal, Refusal } from '../errors/problem.ts'

interface Waiting {
  readonly subject: string
  readonly begin: () => void
}

/**
 * Limits how much expensive work runs at once, in total and per subject; the rest queues for a free slot. The queue of
 * each subject is short, and work whose caller has left never begins. After work, a slot stays closed to its subject
 * for as long as the work took. So a subject with two slots that sends requests of equal length one after another is
 * not delayed, but one that keeps both slots busy gets only half of their time.
 */
export class ConcurrencyLimit {
  readonly #atOnce: number
  readonly #ofSubject: number
  readonly #waitingOfSubject: number
  /** Work per subject, running and queued together. */
  readonly #held = new Map<string, number>()
  /** Slots per subject in which its work runs, or which are still closed to it. */
  readonly #running = new Map<string, number>()
  #waiting: Waiting[] = []
  #total = 0

  constructor({
    atOnce,
    ofSubject,
    waitingOfSubject,
  }: {
    readonly atOnce: number
    readonly ofSubject: number
    readonly waitingOfSubject: number
  }) {
    this.#atOnce = atOnce
    this.#ofSubject = ofSubject
    this.#waitingOfSubject = waitingOfSubject
  }

  /**
   * Runs work when a slot is free. `gone` aborts when the caller leaves. Throws a Refusal (429) if too much work is
   * queued.
   */
  async run<Result>(subject: string, work: () => Promise<Result>, gone?: AbortSignal): Promise<Result> {
    const held = this.#held.get(subject) ?? 0
    if (held >= this.#ofSubject + this.#waitingOfSubject) throw tooMuchWork(held)
    adjustCount(this.#held, subject, 1)
    try {
      await this.#acquire(subject, gone)
      const began = performance.now()
      let rests = true
      try {
        return await work()
      } catch (error) {
        // An unavailable database causes no load, and queued callers should learn of it soon.
        rests = asRefusal(error)?.status !== 503
        throw error
      } finally {
        this.#release(subject, rests ? performance.now() - began : 0)
      }
    } finally {
      adjustCount(this.#held, subject, -1)
    }
  }

  async #acquire(subject: string, gone: AbortSignal | undefined): Promise<void> {
    if (gone?.aborted) throw nobodyWaits()
    if (this.#mayBegin(subject)) return this.#begin(subject)
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((each) => each !== waiting)
        reject(nobodyWaits())
      }
      const begin = () => {
        gone?.removeEventListener('abort', leave)
        this.#begin(subject)
        resolve()
      }
      const waiting = { subject, begin }
      this.#waiting.push(waiting)
      gone?.addEventListener('abort', leave, { once: true })
    })
  }

  #mayBegin(subject: string): boolean {
    return this.#total < this.#atOnce && (this.#running.get(subject) ?? 0) < this.#ofSubject
  }

  #begin(subject: string): void {
    this.#total++
    adjustCount(this.#running, subject, 1)
  }

  #release(subject: string, tookMs: number): void {
    this.#total--
    this.#beginNext()
    setTimeout(() => {
      adjustCount(this.#running, subject, -1)
      this.#beginNext()
    }, tookMs).unref()
  }

  /** Begins the work that has waited longest among that which may begin. */
  #beginNext(): void {
    const next = this.#waiting.findIndex((each) => this.#mayBegin(each.subject))
    if (next >= 0) this.#waiting.splice(next, 1)[0]?.begin()
  }
}

function adjustCount(counts: Map<string, number>, subject: string, change: number): void {
  const now = (counts.get(subject) ?? 0) + change
  if (now > 0) counts.set(subject, now)
  else counts.delete(subject)
}

const nobodyWaits = () => new Refusal('request_timeout', 'The client no longer waits for the answer.')

function tooMuchWork(held: number): Refusal {
  return new Refusal(
    'too_much_work',
    `You have ${held} expensive requests under way, which is the limit. Wait for one of them to finish.`,
    { headers: { 'retry-after': '1' } },
  )
}
