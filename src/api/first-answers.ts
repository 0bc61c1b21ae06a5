import { requestOptions } from './connection.ts'

/** Equals `staleTime` of query-client.ts, so that both agree on how long an answer is fresh. */
const answerFreshMs = 30_000

interface AskedAnswer {
  readonly answer: Promise<Response>
  answeredMs?: number
}

/** Answers requested before the console's code was loaded. Each is used by the first request for the same URL. */
export class FirstAnswers {
  readonly #asked = new Map<string, AskedAnswer>()

  /** Sends exactly the request of `client.ts`, so that a service of another origin gets only one CORS preflight. */
  ask(url: string, token: string) {
    const asked: AskedAnswer = {
      answer: fetch(url, {
        ...requestOptions,
        headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
      }),
    }
    const answered = () => {
      asked.answeredMs = Date.now()
    }
    // Handles the rejection here; the request that takes this answer sees the failure.
    asked.answer.then(answered, answered)
    this.#asked.set(sorted(url), asked)
  }

  readonly fetch: typeof fetch = (input, init) => {
    const asked = typeof input === 'string' && init?.method === 'GET' ? this.#take(input) : undefined
    return asked ? orAborted(asked.answer, init?.signal) : fetch(input, init)
  }

  forget() {
    this.#asked.clear()
  }

  #take(url: string): AskedAnswer | undefined {
    const key = sorted(url)
    const asked = this.#asked.get(key)
    this.#asked.delete(key)
    return asked && Date.now() - (asked.answeredMs ?? Date.now()) < answerFreshMs ? asked : undefined
  }
}

function sorted(address: string): string {
  const url = new URL(address)
  url.searchParams.sort()
  return url.href
}

function orAborted(answer: Promise<Response>, signal: AbortSignal | null | undefined): Promise<Response> {
  if (!signal) return answer
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason))
    answer.then(resolve, reject)
  })
}
