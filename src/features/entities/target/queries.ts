import { type QueryClient, queryOptions } from '@tanstack/react-query'

import type { Entity } from '#contract/index.ts'

import { api, ApiError } from '../../../api/index.ts'
import { userQuery } from '../../../domain/queries/users.ts'
import { entitiesQuery, reading } from '../../../domain/queries/entities.ts'

/** A name that was read is good enough for a while: it only says who an id is. */
const namedMs = 5 * 60_000

/** Whom a relationship names. */
export function targetUserQuery(id: string) {
  return queryOptions({ ...userQuery(id), staleTime: namedMs })
}

/** Which entity a relationship names; taken from the list of its user where that has been read. */
export function targetEntityQuery(client: QueryClient, userId: string, entityId: string) {
  const list = entitiesQuery(userId).queryKey
  return queryOptions({
    // With the user's other entities, so that it is forgotten when they are.
    queryKey: [...list, 'one', entityId],
    queryFn: ({ signal }) =>
      api.getEntity({ params: { user_id: userId, entity_id: entityId }, query: reading(), signal }),
    staleTime: namedMs,
    structuralSharing: false,
    initialData: (): Entity | undefined => client.getQueryData(list)?.find(({ id }) => id === entityId),
    initialDataUpdatedAt: () => client.getQueryState(list)?.dataUpdatedAt,
  })
}

/** A service may also call an id malformed that it does not know. */
const absences = new Set([400, 404, 410, 422])

export function isAbsent(error: unknown): boolean {
  return error instanceof ApiError && absences.has(error.status)
}
