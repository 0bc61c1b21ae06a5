import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import pLimit, { type LimitFunction } from 'p-limit'

import type { Change, Changeset } from '#contract/index.ts'
import { api, fileUnder } from '../../api/index.ts'

/**
 * Query for the changes of one write, which never change, and whether it was reverted, which a revert may change.
 * Sensitive values are not requested.
 */
export function changesetQuery(userId: string, id: string) {
  return queryOptions({
    // Filed with its user, so that it is dropped with them.
    ...fileUnder('getChangeset', { params: { user_id: userId, changeset_id: id } }),
    queryFn: ({ client, signal }) =>
      limitOf(client)(async () => {
        signal.throwIfAborted()
        const query = { sensitive: 'masked' } as const
        return maskChangeset(await api.getChangeset({ params: { changeset_id: id }, query, signal }))
      }),
    staleTime: Infinity,
  })
}

/** Age from which an answer is asked for again where it is shown: a write may be reverted, and its user deleted. */
const changedKeysMs = 5 * 60_000

/** Query for which properties some writes changed, without their values, and whether they were reverted. */
export function changedKeysQuery(ids: readonly string[]) {
  return queryOptions({
    ...fileUnder('lookUpChangesets', { ids }),
    queryFn: ({ signal }) => api.lookUpChangesets({ body: { ids: [...ids] }, signal }),
    enabled: ids.length > 0,
    staleTime: changedKeysMs,
    // A new change leaves the lines of the others, and their buttons, as they are.
    placeholderData: keepPreviousData,
  })
}

/** Number of newest writes among which the one to undo is looked for. */
const searchedWrites = 5

/**
 * Finds the newest of some writes to a user that changed a property or a field; undefined if none of the newest did.
 * @param writes Which writes, as the event log is asked for them.
 */
export async function findChangeset(
  client: QueryClient,
  userId: string,
  key: string,
  writes: { readonly type: string; readonly entity?: string; readonly user?: string; readonly actor: string },
): Promise<string | undefined> {
  const events = await api.listEvents({ query: { ...writes, order: 'desc' } })
  for (const { properties } of events.slice(0, searchedWrites)) {
    const id = String(properties.changeset)
    const { changes } = await client.query(changesetQuery(userId, id))
    if (changes.some((each) => each.key === key)) return id
  }
  return undefined
}

/** Whether the property was sensitive before or after the change. */
export function isSensitive({ sensitive, sensitiveBefore, masked }: Change): boolean {
  return sensitive === true || sensitiveBefore === true || masked === true
}

/** Removes sensitive values from a changeset, even if the service returns them unasked. */
export function maskChangeset(changeset: Changeset): Changeset {
  return {
    ...changeset,
    changes: changeset.changes.map((change) => {
      if (!isSensitive(change)) return change
      const { before: _, after: __, ...rest } = change
      return { ...rest, masked: true }
    }),
  }
}

/** Maximum number of parallel look-ups: a page with a hundred rows must not delay what the person clicks next. */
const lookupConcurrency = 4
/** Limiter of each session, so that requests still queued in one session never delay another. */
const limits = new WeakMap<QueryClient, LimitFunction>()

function limitOf(client: QueryClient): LimitFunction {
  const limit = limits.get(client) ?? pLimit(lookupConcurrency)
  limits.set(client, limit)
  return limit
}
