import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query'
import pLimit from 'p-limit'

import { type Event, maxLookedUp } from '#contract/index.ts'
import { api, fileUnder, reread } from '../../../api/index.ts'
import { useDenied } from '../../../auth/use-session.ts'
import { eventProperty } from '../../../domain/changes/what-happened.ts'

/** Age from which an answer is refetched when its row comes into view, since a colleague may have changed the data. */
const freshAnswerMs = 5 * 60_000
/** Lifetime of an answer whose rows are out of view. Short, because a list may have 100,000 rows. */
const lookUpGcMs = 60_000

/** Operation that answers each kind of look-up. */
const operations = { people: 'lookUpUsers', changes: 'lookUpChangesets' } as const
const part = { as: 'named by events' }

/** Looks up one id; null if the service has no answer. */
export type LookUp<Answer> = (id: string) => Promise<Answer | null>

/** Returns a look-up that asks for several ids in one request. While a request is pending, further ids wait for it. */
export function batchLookUps<Answer extends { readonly id: string }>(
  lookUp: (ids: string[]) => Promise<readonly Answer[]>,
): LookUp<Answer> {
  const limit = pLimit(1)
  let next: { readonly ids: Set<string>; readonly answers: Promise<ReadonlyMap<string, Answer>> } | undefined
  const begin = () => {
    const ids = new Set<string>()
    const answers = limit(async () => {
      if (next?.ids === ids) next = undefined
      return new Map((await lookUp([...ids])).map((answer) => [answer.id, answer]))
    })
    return { ids, answers }
  }
  return async (id) => {
    if (!next || next.ids.size === maxLookedUp) next = begin()
    next.ids.add(id)
    return (await next.answers).get(id) ?? null
  }
}

export type EventLookUps = ReturnType<typeof createLookUps>

export const createLookUps = () => ({
  people: batchLookUps((ids) => api.lookUpUsers({ body: { ids } })),
  changes: batchLookUps((ids) => api.lookUpChangesets({ body: { ids } })),
})

/**
 * Returns the user and the changeset of an event: `undefined` while loading, `null` if there is none to show, the
 * service has no look-ups, or the caller may not use them.
 */
export function useLookedUp(event: Event, lookUps: EventLookUps | undefined) {
  const mayUsers = useDenied('users:read') === undefined
  const mayChanges = useDenied('users:read', 'entities:read') === undefined
  return {
    person: useAnswer('people', lookUps?.people, mayUsers ? eventProperty(event, 'user') : undefined),
    change: useAnswer(
      'changes',
      lookUps?.changes,
      mayChanges ? eventProperty(event, 'changeset') : undefined,
    ),
  }
}

/** @param id Id to look up; undefined if the event has none, or the caller may not look it up. */
function useAnswer<Answer>(
  kind: keyof EventLookUps,
  lookUp: LookUp<Answer> | undefined,
  id: string | undefined,
) {
  const isAsked = id !== undefined && lookUp !== undefined
  const { data, isError } = useQuery({
    ...fileUnder(operations[kind], { ...part, id }),
    queryFn: isAsked ? () => lookUp(id) : skipToken,
    staleTime: freshAnswerMs,
    gcTime: lookUpGcMs,
  })
  return isAsked && !(isError && data === undefined) ? data : null
}

/** Marks answers as stale when an event changes or deletes their subject. They stay visible until the next answer. */
export function outdateLookUps(client: QueryClient, event: Event): void {
  if (!event.type.startsWith('USER_')) return
  void reread(client, fileUnder(operations.people, { ...part, id: eventProperty(event, 'user') }))
  if (event.type === 'USER_DELETED') void reread(client, fileUnder(operations.changes, part))
}
