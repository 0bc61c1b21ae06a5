import { type QueryClient, queryOptions } from '@tanstack/react-query'

import type { Entity } from '#contract/index.ts'
import { api, fileUnder, masksOnRequest, offers, q } from '../../api/index.ts'

/** Whether the service withholds sensitive values until they are revealed. Otherwise, every read is recorded. */
export function keepsValues(): boolean {
  return offers('revealProperties')
}

/** Returns the parameters that request entities without sensitive values, for services that can omit them. */
export function requestMasked() {
  return masksOnRequest() ? { sensitive: 'masked' as const } : {}
}

/** Query for a user's entities with all their properties, oldest first. A single entity is read from this list, too. */
export function entitiesQuery(userId: string) {
  return queryOptions({
    ...fileUnder('listEntities', { params: { user_id: userId } }),
    // The request is not cancellable: opening a user's page may reuse the request that a preview started.
    queryFn: () => api.listEntities({ params: { user_id: userId }, query: requestMasked() }),
    // An entity's ETag is tied to the object identity of the response, which structural sharing would replace.
    structuralSharing: false,
  })
}

/** Query for one entity of somebody; starts from the cached list of that user's entities, if there is one. */
export function entityQuery(client: QueryClient, userId: string, entityId: string) {
  const { queryKey: list } = entitiesQuery(userId)
  return queryOptions({
    ...fileUnder('getEntity', { params: { user_id: userId, entity_id: entityId } }),
    queryFn: ({ signal }) =>
      api.getEntity({ params: { user_id: userId, entity_id: entityId }, query: requestMasked(), signal }),
    structuralSharing: false,
    initialData: (): Entity | undefined => client.getQueryData(list)?.find(({ id }) => id === entityId),
    initialDataUpdatedAt: () => client.getQueryState(list)?.dataUpdatedAt,
  })
}

/** Query for the available property types. */
export const dataTypesQuery = () => q('listDataTypes')
