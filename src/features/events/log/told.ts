import type { QueryClient } from '@tanstack/react-query'

import { type LookedUpChangeset, type LookedUpUser, maxLookedUp } from '#contract/index.ts'
import { api } from '../../../api/index.ts'
import { userListsKey } from '../../../domain/queries/users.ts'

/**
 * Age at which an answer is fetched again when its row comes into view, since a colleague may have changed the data.
 */
const freshMs = 5 * 60_000
/** Delay before a failed lookup is repeated. */
const retryMs = 10_000
/** Rows far from those on screen are named again when they are scrolled to: 100,000 names would be half of the heap. */
const mostKept = 4000

interface Kept<Answer> {
  /** `null`: the service has none. */
  readonly answer: Answer | null
  readonly untilMs: number
}

type Ask<Answer> = (ids: readonly string[]) => Promise<readonly (Answer & { readonly id: string })[]>

/** Batched lookups of the ids in a list, fetched as rows come into view. Answers are kept in memory only. */
export class Told<Answer> {
  readonly #ask: Ask<Answer>
  readonly #kept = new Map<string, Kept<Answer>>()
  readonly #listeners = new Set<() => void>()
  #version = 0
  /** Ids whose answer is pending. */
  #asked: readonly string[] = []
  /** Out of date before the answer that is on its way has come. */
  readonly #outdated = new Set<string>()
  /** Ids last wanted while a request was pending. */
  #next: readonly string[] = []

  constructor(ask: Ask<Answer>) {
    this.#ask = ask
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  /** Another one after each answer. */
  readonly version = () => this.#version

  /** `undefined`: not known yet; `null`: there is none, as where no id is named. */
  of(id: string | undefined): Answer | null | undefined {
    return id === undefined ? null : this.#kept.get(id)?.answer
  }

  isKnown(id: string): boolean {
    return (this.#kept.get(id)?.untilMs ?? 0) > Date.now()
  }

  /** Asks for those that are not known. While an answer is on its way, the last that were wanted wait for it. */
  want(ids: readonly string[]): void {
    if (this.#asked.length > 0) {
      this.#next = ids
      return
    }
    const unknown = [...new Set(ids)].filter((id) => !this.isKnown(id)).slice(0, maxLookedUp)
    if (unknown.length > 0) void this.#read(unknown)
  }

  /** Marks answers as out of date: they are fetched again when wanted next, and shown until then. */
  outdate(id?: string): void {
    for (const each of id === undefined ? [...this.#kept.keys(), ...this.#asked] : [id]) {
      this.#outdated.add(each)
      const kept = this.#kept.get(each)
      if (kept) this.#kept.set(each, { ...kept, untilMs: 0 })
    }
  }

  async #read(ids: readonly string[]): Promise<void> {
    this.#asked = ids
    this.#outdated.clear()
    try {
      const answers = new Map((await this.#ask(ids)).map((answer) => [answer.id, answer]))
      this.#keep(ids, (id) => answers.get(id) ?? null, freshMs)
    } catch {
      // The ids are shown instead, until the next look.
      this.#keep(ids, (id) => this.of(id) ?? null, retryMs)
    }
    this.#asked = []
    const wanted = this.#next
    this.#next = []
    this.want(wanted)
  }

  #keep(ids: readonly string[], answerOf: (id: string) => Answer | null, ms: number) {
    const untilMs = Date.now() + ms
    for (const id of ids) {
      const answer = answerOf(id)
      // Behind the others, of which the oldest go first.
      this.#kept.delete(id)
      this.#kept.set(id, { answer, untilMs: this.#outdated.has(id) ? 0 : untilMs })
    }
    for (const id of this.#kept.keys()) {
      if (this.#kept.size <= mostKept) break
      this.#kept.delete(id)
    }
    this.#version += 1
    for (const listener of this.#listeners) listener()
  }
}

export interface ToldOfEvents {
  readonly people: Told<LookedUpUser>
  readonly changes: Told<LookedUpChangeset>
}

/** Lookups of the users and changesets that a log names. Changing or deleting a user in this console drops them. */
export function toldOf(client: QueryClient): ToldOfEvents {
  const queryKey = [...userListsKey, 'named by events']
  const known = client.getQueryData<ToldOfEvents>(queryKey)
  if (known) return known
  const told: ToldOfEvents = {
    people: new Told((ids) => api.lookUpUsers({ body: { ids: [...ids] } })),
    changes: new Told((ids) => api.lookUpChangesets({ body: { ids: [...ids] } })),
  }
  client.setQueryData(queryKey, told)
  return told
}
