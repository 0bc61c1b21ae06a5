import { requestOptions } from './connection.ts'

/** Equals `staleTime` of query-client.ts, so that both agree on how long an answer is fresh. */
const answerFreshMs = 30_000

interface PendingAnswer {
  readonly answer: Promise<Response>
  answeredMs?: number
}

/** Answers requested before the console's code was loaded. Each is used by the first request for the same URL. */
export class FirstAnswers {
  readonly #pending = new Map<string, PendingAnswer>()

  /** Sends exactly the request of `client.ts`, so that a service of another origin gets only one CORS preflight. */
  ask(url: string, token: string) {
    const pending: PendingAnswer = {
      answer: fetch(url, {
        ...requestOptions,
        headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
      }),
    }
    const noteAnswered = () => {
      pending.answeredMs = Date.now()
    }
    // Handles the rejection here; the request that takes this answer sees the failure.
    pending.answer.then(noteAnswered, noteAnswered)
    this.#pending.set(sortQuery(url), pending)
  }

  readonly fetch: typeof fetch = (input, init) => {
    const pending = typeof input === 'string' && init?.method === 'GET' ? this.#take(input) : undefined
    return pending ? raceAbort(pending.answer, init?.signal) : fetch(input, init)
  }

  forget() {
    this.#pending.clear()
  }

  #take(url: string): PendingAnswer | undefined {
    const key = sortQuery(url)
    const pending = this.#pending.get(key)
    this.#pending.delete(key)
    return pending && Date.now() - (pending.answeredMs ?? Date.now()) < answerFreshMs ? pending : undefined
  }
}

function sortQuery(address: string): string {
  const url = new URL(address)
  url.searchParams.sort()
  return url.href
}

function raceAbort(answer: Promise<Response>, signal: AbortSignal | null | undefined): Promise<Response> {
  if (!signal) return answer
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason))
    answer.then(resolve, reject)
  })
}
