import type { QueryClient } from '@tanstack/react-query'

import { type LookedUpChangeset, type LookedUpUser, maxLookedUp } from '#contract/index.ts'
import { api } from '../../../api/index.ts'
import { userListsKey } from '../../../domain/queries/users.ts'

/** Age from which an answer is refetched when its row comes into view, since a colleague may have changed the data. */
const freshAnswerMs = 5 * 60_000
/** Delay before a failed lookup is repeated. */
const lookupRetryMs = 10_000
/**
 * Maximum number of cached answers. Names for 100,000 rows would take up half of the heap; rows scrolled to again are
 * refetched.
 */
const mostAnswers = 4000

interface StoredAnswer<Answer> {
  /** Looked-up data; `null` if the service has none. */
  readonly answer: Answer | null
  readonly untilMs: number
}

type LookUp<Answer> = (ids: readonly string[]) => Promise<readonly (Answer & { readonly id: string })[]>

/** Batched lookups of the ids in a list, fetched as rows come into view. Answers are kept in memory only. */
export class BatchedLookup<Answer> {
  readonly #lookUp: LookUp<Answer>
  readonly #answers = new Map<string, StoredAnswer<Answer>>()
  readonly #listeners = new Set<() => void>()
  #version = 0
  /** Ids whose answer is pending. */
  #pending: readonly string[] = []
  /** Ids marked as stale while their answer was pending. */
  readonly #outdated = new Set<string>()
  /** Ids requested last while another request was pending. */
  #wanted: readonly string[] = []

  constructor(lookUp: LookUp<Answer>) {
    this.#lookUp = lookUp
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  /** Returns a number that changes with each answer. */
  readonly version = () => this.#version

  /** Returns the cached answer: `undefined` if not known yet, `null` if there is none or the id is undefined. */
  of(id: string | undefined): Answer | null | undefined {
    return id === undefined ? null : this.#answers.get(id)?.answer
  }

  isKnown(id: string): boolean {
    return (this.#answers.get(id)?.untilMs ?? 0) > Date.now()
  }

  /** Fetches missing answers. While a request is pending, the latest ids wait for it. */
  want(ids: readonly string[]): void {
    if (this.#pending.length > 0) {
      this.#wanted = ids
      return
    }
    const unknown = [...new Set(ids)].filter((id) => !this.isKnown(id)).slice(0, maxLookedUp)
    if (unknown.length > 0) void this.#read(unknown)
  }

  /** Marks answers as stale: they stay visible and are refetched when wanted next. */
  outdate(id?: string): void {
    for (const each of id === undefined ? [...this.#answers.keys(), ...this.#pending] : [id]) {
      this.#outdated.add(each)
      const stored = this.#answers.get(each)
      if (stored) this.#answers.set(each, { ...stored, untilMs: 0 })
    }
  }

  async #read(ids: readonly string[]): Promise<void> {
    this.#pending = ids
    this.#outdated.clear()
    try {
      const answers = new Map((await this.#lookUp(ids)).map((answer) => [answer.id, answer]))
      this.#store(ids, (id) => answers.get(id) ?? null, freshAnswerMs)
    } catch {
      // Keep the previous answers, or show ids, until the next retry.
      this.#store(ids, (id) => this.of(id) ?? null, lookupRetryMs)
    }
    this.#pending = []
    const nextIds = this.#wanted
    this.#wanted = []
    this.want(nextIds)
  }

  #store(ids: readonly string[], answerOf: (id: string) => Answer | null, ms: number) {
    const untilMs = Date.now() + ms
    for (const id of ids) {
      const answer = answerOf(id)
      // Move the answer to the end of the map, because eviction starts at its beginning.
      this.#answers.delete(id)
      this.#answers.set(id, { answer, untilMs: this.#outdated.has(id) ? 0 : untilMs })
    }
    for (const id of this.#answers.keys()) {
      if (this.#answers.size <= mostAnswers) break
      this.#answers.delete(id)
    }
    this.#version += 1
    for (const listener of this.#listeners) listener()
  }
}

export interface EventLookups {
  readonly people: BatchedLookup<LookedUpUser>
  readonly changes: BatchedLookup<LookedUpChangeset>
}

/**
 * Returns the lookups of users and changesets shared by all logs. Changing or deleting a user in this console drops
 * them.
 */
export function getEventLookups(client: QueryClient): EventLookups {
  const queryKey = [...userListsKey, 'named by events']
  const known = client.getQueryData<EventLookups>(queryKey)
  if (known) return known
  const lookups: EventLookups = {
    people: new BatchedLookup((ids) => api.lookUpUsers({ body: { ids: [...ids] } })),
    changes: new BatchedLookup((ids) => api.lookUpChangesets({ body: { ids: [...ids] } })),
  }
  client.setQueryData(queryKey, lookups)
  return lookups
}
