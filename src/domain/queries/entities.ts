import { queryOptions } from '@tanstack/react-query'

import { api, isFull, masksOnRequest } from '../../api/index.ts'

/** Whether sensitive values stay with the service, which shows them one by one; else each reading of them is recorded. */
export function keepsValues(): boolean {
  return isFull()
}

/** Asks for entities without their sensitive values, of every service that can leave them out. */
export function reading() {
  return masksOnRequest() ? { sensitive: 'masked' as const } : {}
}

/** A user's entities with all their properties, oldest first. The one that is open is read from here too. */
export function entitiesQuery(userId: string) {
  return queryOptions({
    queryKey: ['entities', userId],
    // Never given up: the way to a user's page may wait for the answer that a preview asked for, which goes before it.
    queryFn: () => api.listEntities({ params: { user_id: userId }, query: reading() }),
    // The tag of an entity belongs to the object that it was read as.
    structuralSharing: false,
  })
}

/** The types that a property may have; they do not change while the service runs. */
export function dataTypesQuery() {
  return queryOptions({
    queryKey: ['datatypes'],
    queryFn: ({ signal }) => api.listDataTypes({ signal }),
    staleTime: Infinity,
  })
}
