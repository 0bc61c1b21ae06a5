import { queryOptions } from '@tanstack/react-query'

import type { Changeset } from '#contract/index.ts'
import { api } from '../../api/index.ts'
import { isSensitive } from '../changes/is-sensitive.ts'
import { aboutUser } from './users.ts'

/** What one write changed. It never changes itself; sensitive values stay with the service. */
export function changesetQuery(userId: string, id: string) {
  return queryOptions({
    queryKey: [...aboutUser(userId), 'changesets', id],
    queryFn: ({ signal }) =>
      inTurn(async () => {
        signal.throwIfAborted()
        const query = { sensitive: 'masked' } as const
        return withheld(await api.getChangeset({ params: { changeset_id: id }, query, signal }))
      }),
    staleTime: Infinity,
  })
}

/** Without sensitive values, also where a service answers them unasked. */
export function withheld(changeset: Changeset): Changeset {
  return {
    ...changeset,
    changes: changeset.changes.map((change) => {
      if (!isSensitive(change)) return change
      const { before: _, after: __, ...rest } = change
      return { ...rest, masked: true }
    }),
  }
}

/** A page of a hundred rows asks for a few at a time, and leaves the connection to what is clicked meanwhile. */
const atOnce = 4
let running = 0
const waiting: (() => void)[] = []

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= atOnce) await new Promise<void>((resolve) => void waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
