import { queryOptions } from '@tanstack/react-query'

import { api, isFull, masksOnRequest, q } from '../../api/index.ts'

/** Whether the service withholds sensitive values until they are revealed. Otherwise, every read is recorded. */
export function keepsValues(): boolean {
  return isFull()
}

/** Returns the parameters that request entities without sensitive values, for services that can omit them. */
export function reading() {
  return masksOnRequest() ? { sensitive: 'masked' as const } : {}
}

/** Query for a user's entities with all their properties, oldest first. A single entity is read from this list, too. */
export function entitiesQuery(userId: string) {
  return queryOptions({
    queryKey: ['entities', userId],
    // The request is not cancellable: opening a user's page may reuse the request that a preview started.
    queryFn: () => api.listEntities({ params: { user_id: userId }, query: reading() }),
    // An entity's ETag is tied to the object identity of the response, which structural sharing would replace.
    structuralSharing: false,
  })
}

/** Query for the available property types. */
export const dataTypesQuery = () => q('listDataTypes')
