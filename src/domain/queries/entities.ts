import { queryOptions } from '@tanstack/react-query'

import { api, offers } from '../../api/index.ts'

/** Sensitive values stay with the service where it can keep them, and show one by one. */
export function reading() {
  return offers('sensitive.masked') && offers('sensitive.reveal') ? { sensitive: 'masked' as const } : {}
}

/** A user's entities with all their properties, oldest first. The one that is open is read from here too. */
export function entitiesQuery(userId: string) {
  return queryOptions({
    queryKey: ['entities', userId],
    queryFn: ({ signal }) => api.listEntities({ params: { user_id: userId }, query: reading(), signal }),
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
