import { Refusal } from '../errors/problem.ts'

/** Work per second for each request of the rate limit: a quarter of the time of the event loop at the usual 100. */
const msPerRequest = 2.5
/** Work that a caller may have done ahead of their rate, so that somebody who saves now and then never waits. */
const aheadMs = 150
/** Requests of one caller that may wait for their turn. */
const maxWaiting = 16
/** Longest wait of a request behind others. One alone waits for as long as it has to. */
const maxWaitMs = 5000
/** Work for a byte: to receive it, which nothing measures, and at most to act on it or to answer with it. */
const msPerByte = { received: 4 / 1024 / 1024, answered: 48 / 1024 / 1024 } as const
/** Maximum number of callers that are tracked; the least recently seen is evicted. */
const maxRemembered = 10_000

/** A request, as its work is counted. */
export interface Spending {
  readonly subject: string
  /** Bytes of its body, and of its answer once that is made. */
  bytes: number
}

interface SpentTime {
  /** When all work will be paid for, by the clock of `performance.now()`. */
  paidAtMs: number
  /** Whether work of this caller is being done in its turn. */
  isBusy: boolean
  readonly waiting: (() => void)[]
  isScheduled: boolean
}

/**
 * Budget of the time that a caller's requests take on the event loop, which everybody shares: to read and check a body,
 * to make a part of a long list, to write a large answer. Refused requests cost as much as those that are done. Whoever
 * is ahead of their rate waits until it is paid for, so that the rest of the time is left to others.
 */
export class WorkBudget {
  readonly #accounts = new Map<string, SpentTime>()
  readonly #msPerSecond: number

  /** @param perSecond Requests a second of one caller; 0 means no limit. */
  constructor(perSecond: number) {
    this.#msPerSecond = perSecond * msPerRequest
  }

  /** Reads a body in the caller's turn. Throws a Refusal (429) if that is too far away. */
  async read<Result>(subject: string, read: () => Result): Promise<Result> {
    this.refuseExcess(subject)
    return await this.#inTurn(subject, () => this.count(subject, read))
  }

  /**
   * Waits for the sender's turn before a body is received, even if only to be thrown away. Throws a Refusal (429) if that
   * is too far away.
   */
  async receive(sender: string, bytes: number): Promise<void> {
    this.refuseExcess(sender)
    await this.#inTurn(sender, () => this.charge(sender, bytes * msPerByte.received))
  }

  /**
   * Makes a part of a long list or file in the caller's turn, however far away that is: the answer has begun. Counts as an
   * answer does; undefined if there is no further part.
   */
  async makePart<Part extends string | Buffer>(
    subject: string,
    make: () => Promise<Part | undefined>,
  ): Promise<Part | undefined> {
    return await this.#inTurn(subject, async () => {
      const began = performance.now()
      const part = await make()
      const mostMs = (part?.length ?? 0) * msPerByte.answered
      this.charge(subject, Math.min(performance.now() - began, mostMs))
      return part
    })
  }

  /**
   * Answers a request: at once, or in the caller's turn if their earlier work is not paid for. Throws a Refusal (429) if
   * that is too far away. Counts the time until the answer is made. Part of that was left to others, so it counts no more
   * than its bytes can take.
   */
  async answer<Result>(spending: Spending, answer: () => Promise<Result>): Promise<Result> {
    const counted = async () => {
      const began = performance.now()
      try {
        return await answer()
      } finally {
        const tookMs = performance.now() - began
        this.charge(spending.subject, Math.min(tookMs, spending.bytes * msPerByte.answered))
      }
    }
    if (!this.#isBehind(spending.subject)) return await counted()
    this.refuseExcess(spending.subject)
    return await this.#inTurn(spending.subject, counted)
  }

  /** Throws a Refusal (429) if the turn of a caller's next request would be too far away. */
  refuseExcess(subject: string): void {
    const account = this.#accounts.get(subject)
    if (!account) return
    const waitMs = account.paidAtMs - performance.now()
    const { length } = account.waiting
    if (length >= maxWaiting || (length > 0 && waitMs > maxWaitMs)) throw tooMuchWork(waitMs)
  }

  /** Does work without a pause, and counts the time that it takes, whether it succeeds or not. */
  count<Result>(subject: string, work: () => Result): Result {
    const began = performance.now()
    try {
      return work()
    } finally {
      this.charge(subject, performance.now() - began)
    }
  }

  charge(subject: string, ms: number): void {
    if (this.#msPerSecond === 0) return
    const account = this.#account(subject)
    account.paidAtMs = Math.max(account.paidAtMs, this.#earliestMs()) + (ms * 1000) / this.#msPerSecond
  }

  #earliestMs(): number {
    return performance.now() - (aheadMs * 1000) / this.#msPerSecond
  }

  #account(subject: string): SpentTime {
    const account = this.#accounts.get(subject) ?? {
      paidAtMs: this.#earliestMs(),
      isBusy: false,
      waiting: [],
      isScheduled: false,
    }
    // Reinserted at the end, so that the first entry is the least recently seen.
    this.#accounts.delete(subject)
    this.#accounts.set(subject, account)
    if (this.#accounts.size > maxRemembered) this.#accounts.delete(this.#accounts.keys().next().value ?? '')
    return account
  }

  /** Whether earlier work of a caller is not paid for, or other work of theirs has its turn. */
  #isBehind(subject: string): boolean {
    const account = this.#accounts.get(subject)
    if (!account) return false
    return account.isBusy || account.waiting.length > 0 || account.paidAtMs > performance.now()
  }

  /** Does one thing of a caller at a time, once what was done before is paid for. */
  async #inTurn<Result>(subject: string, work: () => Result | Promise<Result>): Promise<Result> {
    if (this.#msPerSecond === 0) return await work()
    const account = this.#account(subject)
    if (this.#isBehind(subject)) {
      await new Promise<void>((resolve) => {
        account.waiting.push(resolve)
        beginLater(account)
      })
    }
    account.isBusy = true
    try {
      return await work()
    } finally {
      account.isBusy = false
      beginLater(account)
    }
  }
}

/** Lets the one that has waited longest begin, at the earliest in the next round of the event loop. */
function beginLater(account: SpentTime): void {
  if (account.isScheduled || account.isBusy || account.waiting.length === 0) return
  account.isScheduled = true
  const begin = () => {
    account.isScheduled = false
    if (account.isBusy || account.paidAtMs > performance.now()) beginLater(account)
    else account.waiting.shift()?.()
  }
  const waitMs = account.paidAtMs - performance.now()
  if (waitMs > 0) setTimeout(begin, waitMs)
  else setImmediate(begin)
}

function tooMuchWork(waitMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new Refusal(
    'too_much_work',
    `Your requests take more of the service than one caller may have. Nothing was changed; try again in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds) } },
  )
}
